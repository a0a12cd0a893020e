package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.queenmq.client.ClientListener;
import dev.queenmq.client.QueenException;
import dev.queenmq.client.RejectedException;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.client.Routing;
import dev.queenmq.client.UnauthorizedException;
import dev.queenmq.client.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport and a server that answers as a script says. */
class HttpTransportTest {
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private final Queue<String> headers = new ConcurrentLinkedQueue<>();
  private final Queue<HttpTransport> transports = new ConcurrentLinkedQueue<>();
  private final Queue<Thread> interceptedBy = new ConcurrentLinkedQueue<>();
  private final Deque<Reply> script = new ArrayDeque<>();
  private @Nullable HttpServer server;

  private interface Reply {
    void to(HttpExchange exchange) throws IOException, InterruptedException;
  }

  @BeforeEach
  void start() throws IOException {
    HttpServer made =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    made.setExecutor(threads);
    made.createContext("/", this::answer);
    made.start();
    server = made;
  }

  @AfterEach
  void stop() {
    transports.forEach(HttpTransport::close);
    if (server != null) {
      server.stop(0);
    }
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String token = exchange.getRequestHeaders().getFirst("Authorization");
    headers.add(
        exchange.getRequestHeaders().getFirst("X-Team")
            + " "
            + exchange.getRequestHeaders().getFirst("X-Path"));
    seen.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + (token == null ? "" : " " + token));
    Reply reply;
    synchronized (script) {
      reply = script.isEmpty() ? status(200, "{\"ok\":true}") : script.remove();
    }
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      reply.to(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Reply status(int status, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  private void then(Reply... replies) {
    synchronized (script) {
      script.addAll(List.of(replies));
    }
  }

  private HttpTransport transport(
      Duration giveUp, Duration timeout, @Nullable Supplier<String> token) {
    return transport(url(), giveUp, timeout, token);
  }

  private HttpTransport transport(
      URI url, Duration giveUp, Duration timeout, @Nullable Supplier<String> token) {
    return opened(
        new TransportConfig(
            List.of(url),
            Routing.AFFINITY,
            Duration.ofSeconds(5),
            new RetryPolicy(giveUp, Duration.ofMillis(1), Duration.ofMillis(5)),
            Duration.ofSeconds(5),
            timeout,
            token,
            null,
            Map.of("X-Team", "tea"),
            List.of(
                request -> {
                  request.header("X-Path", request.uri().getPath());
                  interceptedBy.add(Thread.currentThread());
                }),
            List.of()));
  }

  /** Its idle threads would be counted as those of another test. */
  private HttpTransport opened(TransportConfig config) {
    HttpTransport transport = new HttpTransport(config, timer);
    transports.add(transport);
    return transport;
  }

  private HttpTransport transport() {
    return transport(Duration.ofMinutes(1), Duration.ofMinutes(1), null);
  }

  private URI url() {
    HttpServer running = Objects.requireNonNull(server);
    return URI.create("http://127.0.0.1:" + running.getAddress().getPort());
  }

  @Test
  void send_encodesNamesAndQueries() {
    Response response =
        Transport.join(
            transport()
                .send(
                    Request.get("/api/{}/x/{}", "a b/ü", "+%")
                        .withQuery("q", "1&2 +")
                        .withQuery("none", null)));

    assertThat(response.json().path("ok").asBoolean()).isTrue();
    assertThat(seen).containsExactly("GET /api/a%20b%2F%C3%BC/x/%2B%25?q=1%262%20%2B");
  }

  @Test
  void send_carriesHeadersOfTheClientAndOfInterceptors_withEveryAttempt() {
    then(status(503, "{}"));
    Transport.join(transport().send(Request.get("/x")));
    assertThat(headers).containsExactly("tea /x", "tea /x");
  }

  @Test
  void send_waitsAsLongAsTheBrokerAsks() {
    then(inASecond(503), inASecond(429));
    long begun = System.nanoTime();
    Transport.join(transport().send(Request.get("/x")));
    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(2_000_000_000L);
  }

  private static Reply inASecond(int status) {
    return exchange -> {
      exchange.getResponseHeaders().set("Retry-After", "1");
      exchange.sendResponseHeaders(status, -1);
    };
  }

  @Test
  void send_repeats_whatMayBeRepeated() {
    then(status(503, "{\"error\":\"later\"}"), status(500, "no json"), status(429, "{}"));

    assertThat(Transport.join(transport().send(Request.get("/x"))).status()).isEqualTo(200);
    assertThat(seen).hasSize(4);
  }

  @Test
  void send_countsTheTimeForRetries_fromTheCall() {
    HttpTransport transport = transport(Duration.ofMinutes(1), Duration.ofMinutes(1), null);
    Request push = Request.post("/x").withRetry(Request.Retry.ALWAYS);
    long now = System.nanoTime();
    then(status(503, ""), status(503, ""));

    Request late = push.withBegun(now - Duration.ofSeconds(61).toNanos());
    assertThatThrownBy(() -> Transport.join(transport.send(late)))
        .isInstanceOf(UnavailableException.class);
    assertThat(seen).as("one attempt, whose timeout is not over").hasSize(1);

    Request tooLate = push.withBegun(now - Duration.ofMinutes(2).toNanos());
    assertThatThrownBy(() -> Transport.join(transport.send(tooLate)))
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.mayHaveHappened()).isFalse())
        .hasMessageStartingWith("it was not sent in time");
    assertThat(seen).hasSize(1);

    Request inTime = push.withBegun(now - Duration.ofSeconds(1).toNanos());
    assertThat(Transport.join(transport.send(inTime)).status()).isEqualTo(200);
    assertThat(seen).as("the second was repeated").hasSize(3);
  }

  @Test
  void anAttemptThatBeginsLate_endsWhenItsCallerExpectsIt() {
    HttpTransport transport = transport(Duration.ZERO, Duration.ofMinutes(10), null);
    CountDownLatch over = new CountDownLatch(1);
    then(
        exchange -> {
          if (over.await(1, TimeUnit.MINUTES)) {
            exchange.close();
          }
        });
    long begun = System.nanoTime() - Duration.ofMinutes(10).toNanos() + 200_000_000L;

    assertThatThrownBy(() -> Transport.join(transport.send(Request.post("/x").withBegun(begun))))
        .isInstanceOf(UnavailableException.class)
        .hasMessageMatching(".*(no answer in|not sent in time).*");
    over.countDown();
  }

  @Test
  void send_doesNotRepeat_whatMayHaveHappened() {
    then(status(429, "{}"), status(503, "{\"error\":\"later\"}"));

    assertThatThrownBy(() -> Transport.join(transport().send(Request.post("/x"))))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("later")
        .satisfies(e -> assertThat(((UnavailableException) e).mayHaveHappened()).isTrue());
    assertThat(seen).hasSize(2);
  }

  @Test
  void send_saysThatNothingHappened_whenThePortIsClosed() throws IOException {
    HttpTransport transport = transport(Duration.ofMillis(50), Duration.ofMinutes(1), null);
    Objects.requireNonNull(server).stop(0);

    assertThatThrownBy(() -> Transport.join(transport.send(Request.post("/x"))))
        .isInstanceOf(UnavailableException.class)
        .satisfies(e -> assertThat(((UnavailableException) e).mayHaveHappened()).isFalse());
  }

  @Test
  void send_triesAnotherBroker_alsoIfNoneRestsAfterAFailure() throws IOException {
    Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
    try (Socket closed = new Socket()) {
      // Connections are refused there, and no other program gets the port meanwhile.
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      sendToOneOfTwo(closed.getLocalPort(), attempts);
    }

    assertThat(attempts).contains(1, 2).allMatch(number -> number <= 2);
  }

  /** Until a request has belonged to the broker that is not there. */
  private void sendToOneOfTwo(int closed, Queue<Integer> attempts) {
    HttpTransport transport =
        opened(
            new TransportConfig(
                List.of(URI.create("http://127.0.0.1:" + closed), url()),
                Routing.AFFINITY,
                Duration.ZERO,
                new RetryPolicy(Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(5)),
                Duration.ofSeconds(5),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                List.of(),
                List.of(
                    new ClientListener() {
                      @Override
                      public void onAttempt(Attempt attempt) {
                        attempts.add(attempt.number());
                      }
                    })));
    for (int i = 0; i < 1000 && !attempts.contains(2); i++) {
      // The ring has keys that are alike close together.
      String key = UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)}).toString();
      Transport.join(transport.send(Request.get("/x").withAffinity(key)));
    }
  }

  @Test
  void send_throwsTheBrokersWords_forWhatIsWrong() {
    then(status(404, "{\"error\":\"Queue not found\"}"), status(403, "{\"error\":\"no\"}"));
    HttpTransport transport = transport();

    assertThatThrownBy(() -> Transport.join(transport.send(Request.get("/x"))))
        .isInstanceOf(RejectedException.class)
        .hasMessage("Queue not found");
    assertThatThrownBy(() -> Transport.join(transport.send(Request.get("/x"))))
        .isInstanceOf(UnauthorizedException.class);
    assertThat(seen).hasSize(2);
  }

  @Test
  void pagesOfALoadBalancer_areNoAnswersOfABroker() {
    then(
        status(404, "<html>no such service</html>"),
        status(404, "{\"message\":\"no Route matched\"}"),
        status(405, ""),
        exchange -> {
          exchange.getResponseHeaders().set("Location", "https://elsewhere.example/");
          exchange.sendResponseHeaders(302, -1);
        },
        page(200));

    assertThat(Transport.join(transport().send(Request.get("/x"))).json().path("ok").asBoolean())
        .isTrue();
    assertThat(seen).hasSize(6);

    then(page(404), page(200));
    for (int status : new int[] {404, 200}) {
      assertThatThrownBy(() -> Transport.join(transport().send(Request.post("/x"))))
          .isInstanceOfSatisfying(
              UnavailableException.class, e -> assertThat(e.mayHaveHappened()).isTrue())
          .hasMessage("HTTP " + status + " for /x, which is not an answer of a broker");
    }
    assertThat(seen).as("what may have happened is not repeated").hasSize(8);
  }

  private static Reply page(int status) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/HTML; charset=utf-8");
      status(status, "<html>sorry</html>").to(exchange);
    };
  }

  @Test
  void send_asksForAnotherToken_once() {
    Queue<String> tokens = new ConcurrentLinkedQueue<>(List.of("old", "new", "newest"));
    HttpTransport transport =
        transport(Duration.ofMinutes(1), Duration.ofMinutes(1), tokens::remove);
    then(status(401, "{\"error\":\"Token has expired\"}"));

    Transport.join(transport.send(Request.post("/x")));
    Transport.join(transport.send(Request.post("/x")));
    assertThat(seen)
        .containsExactly("POST /x Bearer old", "POST /x Bearer new", "POST /x Bearer new");

    then(status(401, "{\"error\":\"a\"}"), status(401, "{\"error\":\"b\"}"));
    assertThatThrownBy(() -> Transport.join(transport.send(Request.post("/x"))))
        .isInstanceOf(UnauthorizedException.class)
        .hasMessage("b");
  }

  @Test
  void send_givesUp_onAnAnswerThatStopsInItsMiddle() {
    CountDownLatch end = new CountDownLatch(1);
    then(
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          end.await();
        });
    HttpTransport transport = transport(Duration.ofMinutes(1), Duration.ofMillis(500), null);

    assertThat(Transport.join(transport.send(Request.get("/x"))).status()).isEqualTo(200);
    assertThat(seen).as("sent again after the timeout").hasSizeGreaterThanOrEqualTo(2);
    end.countDown();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void callbacksOfTimeouts_doNotHoldUpTheTimer(boolean ofItsOwn) throws IOException {
    Duration soon = Duration.ofMillis(100);
    Request request = Request.get("/x");
    then(status(503, "{}"));
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      HttpTransport slow =
          transport(
              URI.create("http://127.0.0.1:" + silent.getLocalPort()), Duration.ZERO, soon, null);
      CompletableFuture<Boolean> waited =
          slow.send(ofItsOwn ? request.withTimeout(soon) : request)
              .handle(
                  (response, failure) -> {
                    // It is repeated, after a pause of the same timer.
                    CompletableFuture<Response> other = transport().send(Request.get("/y"));
                    return other.orTimeout(1, TimeUnit.MINUTES).join().status() == 200;
                  });

      assertThat(waited.orTimeout(2, TimeUnit.MINUTES).join()).isTrue();
    }
    assertThat(seen).containsExactly("GET /y", "GET /y");
  }

  @Test
  void interceptors_ofRepeatedRequests_doNotRunInTheTimer() {
    Thread ofTimer = CompletableFuture.supplyAsync(Thread::currentThread, timer).join();
    then(status(503, "{}"), status(503, "{}"));

    Transport.join(transport().send(Request.get("/x")));

    assertThat(interceptedBy).hasSize(3).doesNotContain(ofTimer);
  }

  @Test
  void cancel_endsTheExchange() {
    CountDownLatch reached = new CountDownLatch(1);
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    then(
        exchange -> {
          reached.countDown();
          exchange.sendResponseHeaders(200, 0);
          try {
            // Until the connection is closed at the other end.
            while (!gone.isDone()) {
              exchange.getResponseBody().write(new byte[10_000]);
              exchange.getResponseBody().flush();
              Thread.sleep(10);
            }
          } catch (IOException e) {
            gone.complete(true);
          }
        });
    CompletableFuture<Response> waiting = transport().send(Request.get("/x"));
    Awaitility.await().until(() -> reached.getCount() == 0);
    waiting.cancel(true);

    assertThat(gone.orTimeout(60, java.util.concurrent.TimeUnit.SECONDS).join()).isTrue();
    assertThat(seen).hasSize(1);
  }

  @Test
  void send_holdsNoMoreThanItsThreads_whenVeryManyAreUnderWay() {
    int many = 300;
    CountDownLatch reached = new CountDownLatch(many);
    CountDownLatch goOn = new CountDownLatch(1);
    for (int i = 0; i < many; i++) {
      then(
          exchange -> {
            reached.countDown();
            goOn.await();
            exchange.sendResponseHeaders(200, -1);
          });
    }
    HttpTransport transport = transport();
    List<CompletableFuture<Response>> all = new java.util.ArrayList<>();
    for (int i = 0; i < many; i++) {
      all.add(transport.send(Request.get("/x")));
    }
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> reached.getCount() == 0);
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("queen-http-"))
                .count())
        .isBetween(1L, 280L);
    assertThat(Transport.join(transport.send(Request.get("/y"))).status()).isEqualTo(200);
    goOn.countDown();
    assertThat(all).allSatisfy(each -> assertThat(each).succeedsWithin(Duration.ofMinutes(1)));
    transport.close();
  }

  @Test
  void close_endsWhatIsUnderWay() {
    CountDownLatch reached = new CountDownLatch(1);
    then(
        exchange -> {
          reached.countDown();
          new CountDownLatch(1).await();
        });
    HttpTransport transport = transport();
    CompletableFuture<Response> waiting = transport.send(Request.get("/x"));
    Awaitility.await().until(() -> reached.getCount() == 0);
    transport.close();

    assertThatThrownBy(() -> Transport.join(waiting)).isInstanceOf(QueenException.class);
    assertThatThrownBy(() -> Transport.join(transport.send(Request.get("/x"))))
        .isInstanceOf(UnavailableException.class);
  }
}
