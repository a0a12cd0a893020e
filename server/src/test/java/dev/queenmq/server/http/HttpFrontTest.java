package dev.queenmq.server.http;

import static dev.queenmq.server.http.RawClient.post;
import static dev.queenmq.server.http.RawClient.request;
import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.sidecar.BrokerException;
import dev.queenmq.server.sidecar.Polled;
import dev.queenmq.server.store.Lease;
import dev.queenmq.server.store.PartitionBatch;
import dev.queenmq.server.store.RenewOutcome;
import dev.queenmq.server.store.StoredMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mechanics of HTTP, in front of a broker that does as it is told. */
class HttpFrontTest {
  private static final HttpConfig ANY_PORT = new HttpConfig("127.0.0.1", 0);
  private static final HttpLimits LIMITS =
      HttpLimits.defaults().withMaxBodyBytes(1000).withIdleTimeout(Duration.ofMillis(400));

  private final Vertx vertx = Vertx.vertx();
  private final FakeBroker broker = new FakeBroker();
  private HttpFront front;

  @BeforeEach
  void start() {
    front = start(EmptyPop.NO_CONTENT, LIMITS);
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  private HttpFront start(EmptyPop emptyPop, HttpLimits limits) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(HealthRoutes.of(Future::succeededFuture, "1", JsonObject::new, 3));
    routes.addAll(
        new BrokerApi(
                broker, Codecs.IDS, limits, Encryption.none(), PopDefaults.standard(), emptyPop)
            .routes());
    routes.add(Route.read("/boom", (request, path) -> path.get("none")));
    return await(HttpFront.start(vertx, ANY_PORT, limits, 2, instance -> new RouteTable(routes)));
  }

  private RawClient.Answer ask(String text) throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      client.send(text);
      return client.receive();
    }
  }

  private static String push(String queue) {
    return post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\"}]}");
  }

  private static Polled message() {
    return message("{}");
  }

  private static Polled message(String payload) {
    UUID id = new UUID(1, 2);
    return new Polled(
        "g",
        List.of(
            new PartitionBatch(
                "q",
                "p",
                id,
                Optional.of(new Lease(id, Instant.EPOCH)),
                0,
                List.of(new StoredMessage(1, id, "t", payload, null, null, false, Instant.EPOCH)))),
        Polled.Nothing.NONE);
  }

  private FakeBroker.FakePoll onlyPoll() {
    await().until(() -> broker.polls.size() == 1);
    return broker.polls.get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/nothing",
    "GET,/",
    "GET,/api/v1/push/",
    "POST,/health/",
    "GET,/api/v1/pop/queue/",
    "GET,/api/v1/pop/queue//partition/p",
    "GET,//api/v1/pop",
    "PUT,/nothing"
  })
  void unknownPath_isNotFound(String method, String path) throws Exception {
    RawClient.Answer answer = ask(request(method, path));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("{\"error\":\"Not Found\"}");
    assertThat(answer.head())
        .contains("content-type: application/json", "access-control-allow-origin: *");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET|/api/v1/push|post",
        "POST|/health|get, head",
        "HEAD|/api/v1/pop/queue/q|get",
        "GET|/api/v1/resources/queues/q|delete"
      })
  void wrongMethod_isNotAllowed(String method, String path, String allowed) throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(request(method, path));
      RawClient.Answer answer = client.receiveHead();
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.head()).contains("\r\nallow: " + allowed + "\r\n");
    }
  }

  @Test
  void options_isAnsweredForAnyPath() throws Exception {
    RawClient.Answer answer = ask(request("OPTIONS", "/what/ever"));
    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.head())
        .contains(
            "access-control-allow-origin: *",
            "access-control-allow-methods: get, post, put, delete, options",
            "access-control-allow-headers: content-type, authorization",
            "access-control-max-age: 86400");
  }

  @Test
  void defects_areAnsweredAsSuch() throws Exception {
    assertThat(ask(request("GET", "/boom")).body()).isEqualTo("{\"error\":\"Internal error\"}");
    RawClient.Answer answer = ask(post("/api/v1/configure", "{\"queue\":\"q\"}"));
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("{\"error\":\"Internal error\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "OVERLOADED,503,too much",
    "STOPPING,503,too much",
    "UNAVAILABLE,503,too much",
    "INTERNAL,500,Internal error"
  })
  void refusals_haveTheirStatus(BrokerException.Kind kind, int status, String text)
      throws Exception {
    broker.failure = new BrokerException(kind, "too much");
    RawClient.Answer answer = ask(push("q"));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo("{\"error\":\"" + text + "\"}");
    assertThat(answer.head().contains("\r\nretry-after: 1\r\n")).isEqualTo(status == 503);
  }

  @ParameterizedTest
  @CsvSource({"OVERLOADED,503", "STOPPING,503", "UNAVAILABLE,204", "INTERNAL,500"})
  void pop_doesNotShowPassingFaults(BrokerException.Kind kind, int status) throws Exception {
    broker.failure = new BrokerException(kind, "too much");
    assertThat(ask(request("GET", "/api/v1/pop/queue/q")).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"%F0%9F%98%80,\ud83d\ude00", "a%20b+c%2Fd,a b+c/d", "\u00fc,\u00fc", "a%2525,a%25"})
  void pathParameters_areDecoded(String path, String name) throws Exception {
    assertThat(ask(request("DELETE", "/api/v1/resources/queues/" + path)).body())
        .isEqualTo("{\"deleted\":true,\"queue\":\"" + name + "\",\"existed\":true}");
    assertThat(broker.deleted).containsExactly(name);
  }

  @ParameterizedTest
  @CsvSource({"%", "%4", "%zz", "%ff", "a%+1"})
  void pathParameters_mustBeWellFormed(String path) throws Exception {
    RawClient.Answer answer = ask(request("DELETE", "/api/v1/resources/queues/" + path));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).isEqualTo("{\"error\":\"The path is not percent-encoded UTF-8\"}");
  }

  @Test
  void longestNames_fitIntoARequest() throws Exception {
    String path = "/api/v1/pop/queue/" + "%F0%9F%98%80".repeat(255) + "/partition/";
    try (RawClient client = new RawClient(front.port())) {
      client.send(request("GET", path + "%F0%9F%98%80".repeat(255)));
      onlyPoll().answer.complete(message());
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @Test
  void tooLongRequestLine_is414() throws Exception {
    assertInvalid(
        request("GET", "/" + "x".repeat(17_000)),
        414,
        "Request line is longer than the limit of 16384 bytes");
  }

  @Test
  void tooLargeHeaders_are431() throws Exception {
    assertInvalid(
        "GET / HTTP/1.1\r\nHost: " + "x".repeat(17_000) + "\r\n\r\n",
        431,
        "Request headers are larger than the limit of 16384 bytes");
    assertThat(ask("GET / HTTP/1.1\r\nHost: x\r\nA: " + "x".repeat(12_000) + "\r\n\r\n").status())
        .isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0001\u0002\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nbad name: y\r\n\r\n",
        "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: some\r\n\r\n"
      })
  void whatIsNotHttp_is400(String text) throws Exception {
    assertInvalid(text, 400, "The request is not valid HTTP");
  }

  private void assertInvalid(String text, int status, String error) throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      client.send(text);
      RawClient.Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.body()).isEqualTo("{\"error\":\"" + error + "\"}");
      assertThat(answer.head())
          .contains(
              "content-type: application/json",
              "connection: close",
              "access-control-allow-origin: *");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void health_hasAllFieldsOfTheContract() throws Exception {
    RawClient.Answer answer = ask(request("GET", "/health"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"database\":\"connected\",\"queen\":{\"status\":\"active\",\"worker_id\":3},"
                + "\"server\":\"Queen MQ for Java\",\"shared_state\":{},\"status\":\"healthy\","
                + "\"version\":\"1\",\"worker_id\":3}");
  }

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
  void emptyBody_isRefused_butNotForALease() throws Exception {
    assertThat(ask(post("/api/v1/push", "")).body())
        .isEqualTo("{\"error\":\"Empty request body\"}");
    RawClient.Answer lease = ask(post("/api/v1/lease/" + new UUID(1, 2) + "/extend", ""));
    assertThat(lease.status()).isEqualTo(404);
    assertThat(lease.body()).contains("\"error\":\"Lease not found\"");
    broker.renewal = new RenewOutcome.Expired();
    assertThat(ask(post("/api/v1/lease/" + new UUID(1, 2) + "/extend", "[]")).status())
        .isEqualTo(409);
    assertThat(ask(post("/api/v1/lease/none/extend", "{}")).status()).isEqualTo(404);
  }

  @Test
  void push_isCreated_evenOfNothing() throws Exception {
    assertThat(ask(push("q")).status()).isEqualTo(201);
    RawClient.Answer nothing = ask(post("/api/v1/push", "{\"items\":[]}"));
    assertThat(nothing.status()).isEqualTo(201);
    assertThat(nothing.body()).isEqualTo("[]");
    assertThat(ask(post("/api/v1/ack/batch", "{\"acknowledgments\":[]}")).body()).isEqualTo("[]");
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
    HttpFront impatient = start(EmptyPop.NO_CONTENT, LIMITS.withMaxWait(Duration.ofMillis(300)));
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
      Polled nothing = new Polled("g", List.of(), Polled.Nothing.NO_AVAILABLE_PARTITION);
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
          .complete(new Polled("g", List.of(), Polled.Nothing.NO_AVAILABLE_PARTITION));
      RawClient.Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body())
          .isEqualTo("{\"success\":false,\"error\":\"no_available_partition\",\"messages\":[]}");
    }
  }

  @Test
  void idleConnections_areClosed_butNotThoseOfWaitingPolls() throws Exception {
    try (RawClient poller = new RawClient(front.port());
        RawClient idle = new RawClient(front.port());
        RawClient slowHead = new RawClient(front.port());
        RawClient slowBody = new RawClient(front.port())) {
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
  void servers_shareOnePort_andEachHasItsLoop() throws Exception {
    Set<Integer> instances = ConcurrentHashMap.newKeySet();
    Set<Thread> loops = ConcurrentHashMap.newKeySet();
    HttpFront several =
        await(
            HttpFront.start(
                vertx,
                ANY_PORT,
                LIMITS,
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
                3,
                instance -> request -> {}));
    assertThat(failure)
        .isInstanceOf(HttpStartException.class)
        .hasMessage("cannot listen on 127.0.0.1:" + front.port() + ": the port is in use");
    await(other.close());
  }

  @Test
  void stop_waitsForRunningAnswers_andTakesNoMore() throws Exception {
    broker.holdPushes = true;
    try (RawClient client = new RawClient(front.port());
        RawClient idle = new RawClient(front.port())) {
      client.send(push("q"));
      await().until(() -> broker.held.size() == 1);
      Future<Void> stopped = front.stop(Duration.ofSeconds(10));
      assertThat(idle.isClosedByServer()).isTrue();
      assertThat(stopped.isComplete()).isFalse();
      broker.held.get(0).complete();
      assertThat(client.receive().status()).isEqualTo(201);
      await(stopped);
    }
  }
}
