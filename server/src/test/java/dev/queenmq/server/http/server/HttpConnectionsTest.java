package dev.queenmq.server.http.server;

import static dev.queenmq.server.http.server.RawClient.post;
import static dev.queenmq.server.http.server.RawClient.request;
import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Bodies and connections: what arrives in pieces, waits, stops or leaves. */
class HttpConnectionsTest extends HttpFrontFixture {
  @Test
  void pipelinedPushes_areAnsweredInOrder() throws Exception {
    broker.holdPushes = true;
    try (RawClient client = new RawClient(front.port())) {
      client.send(push("first") + push("second"));
      await().until(() -> !broker.held.isEmpty());
      broker.holdPushes = false;
      broker.held.get(0).complete();
      assertThat(client.receive().body()).contains("\"queueName\":\"first\"");
      assertThat(client.receive().body()).contains("\"queueName\":\"second\"");
    }
  }

  @Test
  void tooLongBody_isRefused_byWhatItAnnounces() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(post("/api/v1/push", "x".repeat(1001)));
      assertTooLarge(client);
    }
  }

  @Test
  void tooLongBody_isReadToItsEnd_soThatTheAnswerArrives() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(post("/api/v1/push", "x".repeat(3 << 20)));
      assertTooLarge(client);
    }
  }

  @Test
  void tooLongBody_isRefused_whileItArrives() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("1f4\r\n" + "x".repeat(500) + "\r\n");
      client.send("1f4\r\n" + "x".repeat(500) + "\r\n");
      client.send("1\r\nx\r\n0\r\n\r\n");
      assertTooLarge(client);
    }
  }

  private static void assertTooLarge(RawClient client) throws IOException {
    RawClient.Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.body())
        .isEqualTo("{\"error\":\"Request body is larger than the limit of 1000 bytes\"}");
    assertThat(answer.head()).contains("connection: close", "access-control-allow-origin: *");
    assertThat(client.isClosedByServer()).isTrue();
  }

  @Test
  void chunkedBody_isPutTogether() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      String json = "{\"items\":[{\"queue\":\"q\",\"payload\":[1]}]}";
      for (int i = 0; i < json.length(); i++) {
        client.send("1\r\n" + json.charAt(i) + "\r\n");
      }
      client.send("0\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(201);
      assertThat(broker.pushed.get(0).get(0).payload()).isEqualTo("[1]");
    }
  }

  @Test
  void expect_isAnsweredBeforeTheBody() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      String body = "{\"items\":[]}";
      client.send(
          "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(100);
      client.send(body);
      assertThat(client.receive().status()).isEqualTo(201);
    }
  }

  @Test
  void disconnect_cancelsTheWaitingPoll() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(request("GET", "/api/v1/pop/queue/q?wait=true"));
      assertThat(onlyPoll().cancelled).isFalse();
    }
    await().until(() -> onlyPoll().cancelled);
  }

  @Test
  void messagesOfAClientThatIsGone_areReleased() throws Exception {
    RawClient client = new RawClient(front.port());
    client.send(request("GET", "/api/v1/pop/queue/q?wait=true"));
    FakeBroker.FakePoll poll = onlyPoll();
    client.reset();
    await().until(() -> poll.cancelled);
    Polled polled = message();
    poll.answer.complete(polled);
    await().until(() -> broker.released.equals(List.of(polled)));
  }

  @Test
  void messagesThatAClientDoesNotRead_areReleased() throws Exception {
    HttpLimits limits =
        LIMITS.withMaxWait(Duration.ofMillis(300)).withIdleTimeout(Duration.ofMillis(400));
    HttpFront impatient = start(EmptyPop.NO_CONTENT, limits);
    try (RawClient client = new RawClient(impatient.port())) {
      client.send(request("GET", "/api/v1/pop/queue/q?wait=true"));
      Polled polled = message("\"" + "x".repeat(40 << 20) + "\"");
      onlyPoll().answer.complete(polled);
      await().until(() -> broker.released.equals(List.of(polled)));
    }
  }

  @Test
  void messagesOfAClientThatLeavesWhileReading_areReleased() throws Exception {
    RawClient client = new RawClient(front.port());
    client.send(request("GET", "/api/v1/pop/queue/q?wait=true"));
    Polled polled = message("\"" + "x".repeat(40 << 20) + "\"");
    onlyPoll().answer.complete(polled);
    assertThat(client.receiveHead().status()).isEqualTo(200);
    client.reset();
    await().until(() -> broker.released.equals(List.of(polled)));
  }

  @Test
  void deliveredMessages_areNotReleased() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(request("GET", "/api/v1/pop/queue/q?wait=true"));
      onlyPoll().answer.complete(message());
      assertThat(client.receive().body()).contains("\"transactionId\":\"t\"");
    }
    assertThat(broker.released).isEmpty();
    assertThat(onlyPoll().cancelled).isFalse();
  }

  @Test
  void emptyPop_hasNoBody_unlessItIsWanted() throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(request("GET", "/api/v1/pop/queue/q"));
      Polled nothing = new Polled("g", List.of(), Polled.EmptyReason.NO_AVAILABLE_PARTITION);
      onlyPoll().answer.complete(nothing);
      RawClient.Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.head()).doesNotContain("\r\ncontent-type:", "\r\ncontent-length:");
    }
    HttpFront other = start(EmptyPop.OK_WITH_BODY, LIMITS);
    try (RawClient client = new RawClient(other.port())) {
      client.send(request("GET", "/api/v1/pop/queue/q"));
      await().until(() -> broker.polls.size() == 2);
      broker
          .polls
          .get(1)
          .answer
          .complete(new Polled("g", List.of(), Polled.EmptyReason.NO_AVAILABLE_PARTITION));
      RawClient.Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body())
          .isEqualTo("{\"success\":false,\"error\":\"no_available_partition\",\"messages\":[]}");
    }
  }

  @Test
  void idleConnections_areClosed_butNotThoseOfWaitingPolls() throws Exception {
    HttpFront strict = start(EmptyPop.NO_CONTENT, LIMITS.withIdleTimeout(Duration.ofSeconds(1)));
    try (RawClient poller = new RawClient(strict.port());
        RawClient idle = new RawClient(strict.port());
        RawClient slowHead = new RawClient(strict.port());
        RawClient slowBody = new RawClient(strict.port())) {
      poller.send(request("GET", "/api/v1/pop/queue/q?wait=true"));
      FakeBroker.FakePoll poll = onlyPoll();
      slowHead.send("POST /api");
      slowBody.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{");
      assertThat(idle.isClosedByServer()).isTrue();
      assertThat(slowHead.isClosedByServer()).isTrue();
      assertThat(slowBody.isClosedByServer()).isTrue();
      assertThat(poll.cancelled).isFalse();
      poll.answer.complete(message());
      assertThat(poller.receive().status()).isEqualTo(200);
    }
  }

  @Test
  void fastBeginning_doesNotExcuseASlowRest() throws Exception {
    HttpFront roomy =
        start(
            EmptyPop.NO_CONTENT,
            LIMITS.withMaxBodyBytes(200_000).withIdleTimeout(Duration.ofMillis(400)));
    try (RawClient client = new RawClient(roomy.port())) {
      client.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n");
      client.send("x".repeat(100_000));
      // On average that is fast enough for minutes more.
      await()
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                try {
                  client.send("x");
                  return false;
                } catch (IOException closed) {
                  return true;
                }
              });
    }
    assertThat(broker.pushed).isEmpty();
  }

  @Test
  void servers_shareOnePort_andEachHasItsLoop() throws Exception {
    Set<Integer> instances = ConcurrentHashMap.newKeySet();
    Set<Thread> loops = ConcurrentHashMap.newKeySet();
    HttpFront several =
        await(
            HttpFront.start(
                vertx,
                ANY_PORT,
                LIMITS,
                InstantSource.system(),
                System::nanoTime,
                2,
                instance ->
                    request -> {
                      instances.add(instance);
                      loops.add(Thread.currentThread());
                      request.response().end();
                    }));
    for (int i = 0; i < 4; i++) {
      try (RawClient client = new RawClient(several.port())) {
        client.send(request("GET", "/"));
        assertThat(client.receive().status()).isEqualTo(200);
      }
    }
    assertThat(instances).containsExactlyInAnyOrder(0, 1);
    assertThat(loops).hasSize(2);
  }

  @Test
  void portInUse_saysSo() {
    Vertx other = Vertx.vertx();
    Throwable failure =
        failureOf(
            HttpFront.start(
                other,
                new HttpConfig("127.0.0.1", front.port()),
                LIMITS,
                InstantSource.system(),
                System::nanoTime,
                3,
                instance -> request -> {}));
    assertThat(failure)
        .isInstanceOf(HttpStartException.class)
        .hasMessageStartingWith(
            "cannot listen on 127.0.0.1:" + front.port() + ": the port is in use");
    await(other.close());
  }

  @Test
  void stop_waitsForRunningAnswers_andTakesNoMore() throws Exception {
    broker.holdPushes = true;
    try (RawClient client = new RawClient(front.port());
        RawClient idle = new RawClient(front.port())) {
      client.send(push("q"));
      await().until(() -> broker.held.size() == 1);
      Future<Void> stopped = front.stop(Duration.ofSeconds(60));
      assertThat(idle.isClosedByServer()).isTrue();
      assertThat(stopped.isComplete()).isFalse();
      broker.held.get(0).complete();
      assertThat(client.receive().status()).isEqualTo(201);
      await(stopped);
    }
  }
}
