package dev.queenmq.server.http.server;

import static dev.queenmq.server.http.server.RawClient.post;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.http.routing.Answer;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.BodyReader;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.memory.Purpose;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies that there is no memory for, and the memory of those that there is. */
class BodyMemoryTest extends HttpFrontFixture {
  /** Of which seven are for bodies of more than 64 KiB, which count three times. */
  private static final int BUDGET = 8 << 20;

  private static final int LARGEST = (7 << 20) / 3;
  private static final String NO_MEMORY =
      "{\"error\":\"The broker has no memory for this request body now; try again\"}";

  private HttpFront roomy;

  @BeforeEach
  void startWithMemory() {
    memory = BodyHandler.budget(BUDGET);
    roomy = start(EmptyPop.NO_CONTENT, HttpLimits.defaults());
  }

  @Test
  void body_isRefusedBeforeItIsRead_whenOthersHoldTheMemory() throws Exception {
    try (RawClient stalled = client();
        RawClient refused = client();
        RawClient small = client()) {
      // All but what is kept for small ones.
      stalled.send(head(LARGEST) + "x".repeat(1000));
      awaitHeld(3L * LARGEST);

      refused.send(head(1 << 20));
      assertRefused(refused, 503, NO_MEMORY);
      small.send(push("small"));
      assertThat(small.receive().status()).isEqualTo(201);

      stalled.reset();
      awaitHeld(0);
      small.send(large(1 << 20));
      assertThat(small.receive().status()).isEqualTo(201);
      awaitHeld(0);
      assertThat(memory.figures().refused().get(Purpose.BODIES)).isEqualTo(1);
    }
  }

  @Test
  void refusedBody_isReadToItsEnd_soThatTheAnswerArrives() throws Exception {
    try (RawClient stalled = client();
        RawClient refused = client()) {
      stalled.send(head(2 << 20));
      awaitHeld(3L * (2 << 20));
      refused.send(large(2 << 20));
      assertRefused(refused, 503, NO_MEMORY);
    }
    try (RawClient refused = client()) {
      refused.send(large(20 << 20));
      assertRefused(refused, 413, tooLarge());
    }
  }

  @Test
  void chunkedBody_isRefused_whenItOutgrowsTheMemory() throws Exception {
    try (RawClient stalled = client();
        RawClient growing = client()) {
      stalled.send(head(2 << 20));
      awaitHeld(3L * (2 << 20));
      growing.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 16; i++) {
        growing.send("10000\r\n" + "x".repeat(1 << 16) + "\r\n");
      }
      growing.send("0\r\n\r\n");
      assertRefused(growing, 503, NO_MEMORY);
      awaitHeld(3L * (2 << 20));
    }
    assertThat(broker.pushed).isEmpty();
  }

  @Test
  void bodyThatCanNeverFit_isTooLarge_andSaysWhy() throws Exception {
    try (RawClient client = client()) {
      client.send(head(LARGEST + 1));
      assertRefused(client, 413, tooLarge());
    }
    try (RawClient client = client()) {
      client.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 48; i++) {
        client.send("10000\r\n" + "x".repeat(1 << 16) + "\r\n");
      }
      client.send("0\r\n\r\n");
      assertRefused(client, 413, tooLarge());
    }
    awaitHeld(0);
  }

  @Test
  void memory_isHeldUntilTheMessagesAreStored_alsoIfTheClientIsGone() throws Exception {
    broker.holdPushes = true;
    try (RawClient client = client();
        RawClient leaving = client()) {
      client.send(large(1 << 20));
      await().until(() -> broker.held.size() == 1);
      assertThat(held()).isGreaterThan(3L << 20);
      broker.held.get(0).complete();
      assertThat(client.receive().status()).isEqualTo(201);
      awaitHeld(0);

      leaving.send(large(1 << 20));
      await().until(() -> broker.held.size() == 2);
      leaving.reset();
      client.send(large(2 << 20));
      assertRefused(client, 503, NO_MEMORY);
      assertThat(held()).isGreaterThan(3L << 20);
      broker.held.get(1).complete();
      awaitHeld(0);
    }
  }

  @Test
  void memory_isHeldUntilTheAnswerIsRead() throws Exception {
    memory = BodyHandler.budget(64 << 20);
    // More than the buffers of both sockets hold.
    Buffer answer = Buffer.buffer("x".repeat(16 << 20));
    Route large =
        new BodyHandler(1000, memory)
            .post(
                "/large",
                BodyHandler.Size.FEW,
                Access.OPEN,
                (body, call) -> Future.succeededFuture(new Answer(200, answer)));
    HttpServer server =
        await(
            vertx
                .createHttpServer()
                .requestHandler(new RouteTable(List.of(large)))
                .listen(0, "127.0.0.1"));
    try (RawClient client = new RawClient(server.actualPort());
        RawClient leaving = new RawClient(server.actualPort())) {
      client.send(post("/large", "{}"));
      awaitHeld(answer.length());
      leaving.send(post("/large", "{}"));
      awaitHeld(2L * answer.length());
      leaving.reset();
      awaitHeld(answer.length());
      assertThat(client.receive().body()).hasSize(answer.length());
      awaitHeld(0);
    }
  }

  @Test
  void memory_isFreeAfterEveryKindOfEnd() throws Exception {
    try (RawClient client = client()) {
      client.send(post("/api/v1/push", "{"));
      assertThat(client.receive().status()).isEqualTo(400);
      client.send(post("/api/v1/lease/nope/extend", "{}"));
      assertThat(client.receive().status()).isEqualTo(404);
      client.send(post("/api/v1/push", "{\"items\":[]}"));
      assertThat(client.receive().status()).isEqualTo(201);
      broker.failure = new IllegalStateException("expected by this test");
      client.send(push("q"));
      assertThat(client.receive().status()).isEqualTo(500);
    }
    awaitHeld(0);
  }

  @Test
  void errorWhileABodyArrives_endsTheRequestAndItsConnection() throws Exception {
    AtomicInteger bodies = new AtomicInteger();
    AtomicInteger failures = new AtomicInteger();
    MemoryBudget budget = BodyHandler.budget(BUDGET);
    HttpFront failing =
        await(
            HttpFront.start(
                vertx,
                ANY_PORT,
                LIMITS,
                InstantSource.system(),
                System::nanoTime,
                1,
                instance -> request -> readUntilOneFails(request, budget, bodies, failures)));
    try (RawClient client = new RawClient(failing.port())) {
      // Without an end: what is missing must not be noticed only there.
      client.send(
          "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "5\r\nabcde\r\n".repeat(3));
      assertThat(client.isClosedByServer()).isTrue();
    }
    assertThat(failures).hasValue(1);
    assertThat(bodies).hasValue(0);
    try (RawClient client = new RawClient(failing.port())) {
      client.send(post("/", "abcde"));
      await().until(() -> bodies.get() == 1);
    }
  }

  @Test
  void bodyThatLacksAPart_endsTheRequestAndItsConnection() throws Exception {
    AtomicInteger bodies = new AtomicInteger();
    MemoryBudget budget = BodyHandler.budget(BUDGET);
    HttpFront losing =
        await(
            HttpFront.start(
                vertx,
                ANY_PORT,
                LIMITS,
                InstantSource.system(),
                System::nanoTime,
                1,
                instance ->
                    request ->
                        BodyReader.read(
                                withoutSecondPart(request),
                                new BodyReader.Limits(1000, false, 1000, length -> length),
                                budget.open(Purpose.BODIES))
                            .onSuccess(body -> bodies.incrementAndGet())));
    String parts = "5\r\nabcde\r\n".repeat(3) + "0\r\n\r\n";
    try (RawClient client = new RawClient(losing.port())) {
      client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + parts);
      assertThat(client.isClosedByServer()).isTrue();
    }
    assertThat(bodies).hasValue(0);
    try (RawClient client = new RawClient(losing.port())) {
      client.send(post("/", "abcde"));
      await().until(() -> bodies.get() == 1);
    }
  }

  /** The request, which passes on all parts of its body but the second one. */
  private static HttpServerRequest withoutSecondPart(HttpServerRequest request) {
    return (HttpServerRequest)
        Proxy.newProxyInstance(
            HttpServerRequest.class.getClassLoader(),
            new Class<?>[] {HttpServerRequest.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("handler")) {
                return method.invoke(request, arguments);
              }
              BodyReader reader = (BodyReader) arguments[0];
              AtomicInteger parts = new AtomicInteger();
              return request.handler(
                  part -> {
                    if (parts.incrementAndGet() != 2) {
                      reader.handle(part);
                    }
                  });
            });
  }

  /** Once, as if there were no memory for what follows the first byte. */
  private static void readUntilOneFails(
      HttpServerRequest request,
      MemoryBudget budget,
      AtomicInteger bodies,
      AtomicInteger failures) {
    BodyReader.Limits limits =
        new BodyReader.Limits(
            1000,
            false,
            1000,
            length -> {
              if (length > 5 && failures.getAndIncrement() == 0) {
                throw new OutOfMemoryError("expected by this test");
              }
              return length;
            });
    BodyReader.read(request, limits, budget.open(Purpose.BODIES))
        .onSuccess(body -> bodies.incrementAndGet());
  }

  private RawClient client() throws IOException {
    return new RawClient(roomy.port());
  }

  private static String head(int length) {
    return "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
  }

  private static String large(int bytes) {
    return post(
        "/api/v1/push",
        "{\"items\":[{\"queue\":\"q\",\"payload\":\"" + "x".repeat(bytes) + "\"}]}");
  }

  private static String tooLarge() {
    return "{\"error\":\"Request body is larger than the limit of "
        + LARGEST
        + " bytes that follows from the memory of the broker\"}";
  }

  private static void assertRefused(RawClient client, int status, String body) throws IOException {
    RawClient.Answer answer = client.receive();
    assertThat(answer.body()).isEqualTo(body);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.head()).contains("connection: close");
    if (status == 503) {
      assertThat(answer.head()).contains("retry-after: 1");
    }
  }

  private long held() {
    return memory.figures().held().getOrDefault(Purpose.BODIES, -1L);
  }

  private void awaitHeld(long bytes) {
    await().until(() -> held() == bytes);
  }
}
