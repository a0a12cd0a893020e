package dev.queenmq.server.http.server;

import static dev.queenmq.server.http.server.RawClient.post;
import static dev.queenmq.server.http.server.RawClient.request;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.http.admin.HealthRoutes;
import dev.queenmq.server.http.messages.BrokerApi;
import dev.queenmq.server.http.messages.Codecs;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.messages.PopDefaults;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that want too much, and others that are served all the same. */
class ProtectionTest {
  private static final String POLL = "/api/v1/pop/queue/q?wait=true";
  private static final Polled NOTHING =
      new Polled("g", List.of(), Polled.EmptyReason.NO_AVAILABLE_PARTITION);

  private final Vertx vertx = Vertx.vertx();
  private final FakeBroker broker = new FakeBroker();
  private final List<RawClient> clients = new ArrayList<>();
  private final AtomicInteger big = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // every test starts its own
  private HttpFront front;

  @AfterEach
  void stop() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
    await(vertx.close());
  }

  private void start(Object... settings) {
    Protections protections = Protections.on(new HttpConfig("127.0.0.1", 0));
    for (int i = 0; i < settings.length; i += 2) {
      protections.set(settings[i].toString(), settings[i + 1]);
    }
    HttpConfig config = protections.config();
    HttpLimits limits = HttpLimits.of(config, Duration.ofMinutes(1));
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        HealthRoutes.of(
            Future::succeededFuture, (health, fault) -> {}, () -> false, "1", JsonObject::new, 3));
    routes.addAll(
        new BrokerApi(
                broker,
                "b",
                Codecs.IDS,
                limits,
                new BodyHandler(limits.maxBodyBytes(), BodyHandler.budget(64 << 20)),
                Encryption.none(),
                PopDefaults.standard(),
                EmptyPop.NO_CONTENT,
                ObjectBounds.none(),
                InstantSource.system())
            .routes());
    routes.add(
        Route.read(
            "/big",
            Access.OPEN,
            QueueScope.ALL,
            (request, path) -> {
              big.incrementAndGet();
              JsonReply.send(request, 200, Buffer.buffer(" ".repeat(1 << 20)));
            }));
    front =
        await(
            HttpFront.start(
                vertx,
                config,
                limits,
                InstantSource.system(),
                System::nanoTime,
                2,
                instance -> new RouteTable(routes)));
  }

  private RawClient client() throws IOException {
    return client("127.0.0.1");
  }

  private RawClient client(String address) throws IOException {
    RawClient client = new RawClient(front.port(), InetAddress.getByName(address));
    clients.add(client);
    return client;
  }

  private RawClient.Answer ask(String address, String text) throws IOException {
    try (RawClient client = new RawClient(front.port(), InetAddress.getByName(address))) {
      client.send(text);
      return client.receive();
    }
  }

  private static String get(String path, String... headers) {
    return "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n"
        .formatted(path, headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n");
  }

  private RawClient poll(String address, int polls, String... headers) throws IOException {
    RawClient client = client(address);
    client.send(get(POLL, headers));
    await().until(() -> broker.polls.size() == polls);
    return client;
  }

  private static void assertTooMany(RawClient.Answer answer, String text) {
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.body()).isEqualTo("{\"error\":\"" + text + "\"}");
    assertThat(answer.head())
        .contains("\r\nretry-after: 1\r\n", "\r\nx-content-type-options: nosniff\r\n");
  }

  @Test
  void waitingPollsOfAnAddress_areLimited() throws Exception {
    start("QUEEN_MAX_WAITING_PER_ADDRESS", 2);
    RawClient first = poll("127.0.0.1", 1);
    RawClient second = poll("127.0.0.1", 2);

    assertTooMany(ask("127.0.0.1", get(POLL)), "Too many polls of your address are waiting");
    await().until(() -> front.figures().errors().equals(Map.of(429, 1L)));
    // A header that anybody can write is no reason.
    assertTooMany(
        ask("127.0.0.1", get(POLL, "X-Forwarded-For: 10.0.0.9")),
        "Too many polls of your address are waiting");

    assertThat(ask("127.0.0.1", post("/api/v1/push", "{\"items\":[{\"queue\":\"q\"}]}")).status())
        .isEqualTo(201);
    poll("127.0.0.2", 3);

    // One that leaves makes room, and so does one that is answered.
    first.reset();
    await().until(() -> broker.polls.get(0).cancelled);
    poll("127.0.0.1", 4);
    assertThat(ask("127.0.0.1", get(POLL)).status()).isEqualTo(429);
    broker.polls.get(1).answer.complete(NOTHING);
    assertThat(second.receive().status()).isEqualTo(204);
    second.send(get(POLL));
    await().until(() -> broker.polls.size() == 5);
    assertThat(ask("127.0.0.1", get(POLL)).status()).isEqualTo(429);
  }

  @Test
  void pollsThatDoNotWait_areNotLimited() throws Exception {
    start("QUEEN_MAX_WAITING_PER_ADDRESS", 1);
    poll("127.0.0.1", 1);
    for (int i = 2; i < 5; i++) {
      RawClient client = client();
      client.send(get("/api/v1/pop/queue/q"));
      int polls = i;
      await().until(() -> broker.polls.size() == polls);
    }
  }

  @Test
  void clientsBehindATrustedProxy_areToldApart() throws Exception {
    start("QUEEN_MAX_WAITING_PER_ADDRESS", 1, "QUEEN_TRUSTED_PROXIES", "127.0.0.0/30, 10.9.0.0/16");
    poll("127.0.0.1", 1, "X-Forwarded-For: 192.0.2.1");
    poll("127.0.0.1", 2, "X-Forwarded-For: 192.0.2.2");
    // Through two proxies; what stands left of the client's address is made up.
    poll("127.0.0.1", 3, "X-Forwarded-For: 192.0.2.77, 192.0.2.3", "X-Forwarded-For: 10.9.0.1");

    String tooMany = "Too many polls of your address are waiting";
    assertTooMany(ask("127.0.0.2", get(POLL, "X-Forwarded-For: 192.0.2.1:4711")), tooMany);
    assertTooMany(ask("127.0.0.1", get(POLL, "X-Forwarded-For: 1.2.3.4, 192.0.2.2")), tooMany);
    assertTooMany(
        ask("127.0.0.1", get(POLL, "X-Forwarded-For: 5.6.7.8, 192.0.2.3, 10.9.0.1")), tooMany);
    // All of one network of IPv6 are one.
    poll("127.0.0.1", 4, "X-Forwarded-For: 2001:db8::1");
    assertTooMany(ask("127.0.0.1", get(POLL, "X-Forwarded-For: [2001:db8::2]:80")), tooMany);
    // A client that is no proxy is known by its own address only.
    poll("127.0.0.9", 5, "X-Forwarded-For: 192.0.2.5");
    assertTooMany(ask("127.0.0.9", get(POLL, "X-Forwarded-For: 192.0.2.6")), tooMany);
    // A value that is no address is ignored: the proxy's own address counts.
    poll("127.0.0.1", 6, "X-Forwarded-For: unknown");
    assertTooMany(ask("127.0.0.1", get(POLL)), tooMany);
  }

  @Test
  void connectionsOfAnAddress_areLimited() throws Exception {
    start("QUEEN_MAX_CONNECTIONS_PER_ADDRESS", 2, "QUEEN_TRUSTED_PROXIES", "127.0.0.8");
    assertServed(client());
    RawClient second = client();
    assertServed(second);

    assertClosed(client());

    assertServed(client("127.0.0.2"));
    for (int i = 0; i < 5; i++) {
      assertServed(client("127.0.0.8"));
    }
    second.close();
    await().ignoreExceptions().until(() -> ask("127.0.0.1", get("/health")).status() == 200);
  }

  @Test
  void connections_areLimitedInAll() throws Exception {
    start("QUEEN_MAX_CONNECTIONS", 3, "QUEEN_MAX_CONNECTIONS_PER_ADDRESS", 3);
    for (int i = 1; i <= 3; i++) {
      assertServed(client("127.0.0." + i));
    }

    for (int i = 0; i < 20; i++) {
      assertClosed(client("127.0.1." + i));
    }
    assertThat(front.figures().refusedConnections()).isEqualTo(20);

    assertServed(clients.get(0));
    clients.get(1).close();
    await().ignoreExceptions().until(() -> ask("127.0.0.9", get("/health")).status() == 200);
  }

  private static void assertServed(RawClient client) throws IOException {
    client.send(get("/health"));
    assertThat(client.receive().status()).isEqualTo(200);
  }

  private static void assertClosed(RawClient client) throws IOException {
    try {
      client.send(get("/health"));
      assertThat(client.isClosedByServer()).isTrue();
    } catch (SocketException reset) {
      // Closed before it could say anything.
      assertThat(reset).isNotNull();
    }
  }

  @Test
  void requestsWithAToken_areLimited() throws Exception {
    start("QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN", 3);
    RawClient greedy = client();
    int refused = 0;
    // It would take a machine that answers less than 3 a second for all of them to pass.
    for (int i = 0; i < 40; i++) {
      greedy.send(get("/nothing", "Authorization: Bearer greedy"));
      RawClient.Answer answer = greedy.receive();
      if (answer.status() == 429) {
        assertTooMany(answer, "Too many requests; try again");
        refused++;
      }
    }
    assertThat(refused).isPositive();

    assertThat(ask("127.0.0.1", get("/nothing", "Authorization: Bearer modest")).status())
        .isEqualTo(404);
    assertThat(ask("127.0.0.1", get("/nothing")).status()).isEqualTo(404);
    for (int i = 0; i < 10; i++) {
      assertThat(ask("127.0.0.1", get("/health", "Authorization: Bearer greedy")).status())
          .isEqualTo(200);
    }
    await()
        .until(
            () ->
                ask("127.0.0.1", get("/nothing", "Authorization: Bearer greedy")).status() == 404);
  }

  @Test
  void requestsWithoutAToken_countForTheirAddress() throws Exception {
    start("QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN", 1);
    RawClient greedy = client();
    await()
        .until(
            () -> {
              greedy.send(get("/nothing"));
              return greedy.receive().status() == 429;
            });
    assertThat(ask("127.0.0.2", get("/nothing")).status()).isEqualTo(404);
  }

  @Test
  void requests_areNotLimited_unlessToldSo() throws Exception {
    start();
    RawClient busy = client();
    busy.send(get("/nothing").repeat(500));
    for (int i = 0; i < 500; i++) {
      assertThat(busy.receive().status()).isEqualTo(404);
    }
  }

  @Test
  void answersAreNotPiledUp_forOneWhoDoesNotRead() throws Exception {
    start();
    RawClient greedy = client();
    greedy.send(get("/big").repeat(60));
    await().until(() -> big.get() > 0);
    for (int i = 0; i < 20; i++) {
      assertThat(ask("127.0.0.1", get("/health")).status()).isEqualTo(200);
    }

    assertThat(big).hasValueLessThan(40);

    for (int i = 0; i < 60; i++) {
      assertThat(greedy.receive().body()).hasSize(1 << 20);
    }
    assertThat(big).hasValue(60);
  }

  /** The attack that is called slow loris: something comes all the time, and it never ends. */
  @Test
  void headsThatComeByTheDrop_areNotWaitedFor() throws Exception {
    start("QUEEN_HEAD_TIMEOUT_MS", 400);
    List<RawClient> loris = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      loris.add(client());
      loris.get(i).send("GET /health HTTP/1.1\r\nHost: x\r\n");
    }
    for (RawClient each : loris) {
      assertThat(dripUntilClosed(each, "X: y\r\n")).isTrue();
    }
    assertThat(ask("127.0.0.1", get("/health")).status()).isEqualTo(200);
  }

  @Test
  void bodiesThatComeByTheDrop_areNotWaitedFor() throws Exception {
    start("QUEEN_HEAD_TIMEOUT_MS", 400, "QUEEN_MIN_BODY_BYTES_PER_SECOND", 100_000);
    RawClient slow = client();
    RawClient chunked = client();
    slow.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
    chunked.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");

    assertThat(dripUntilClosed(slow, " ")).isTrue();
    assertThat(dripUntilClosed(chunked, "1\r\n \r\n")).isTrue();
    assertThat(ask("127.0.0.1", post("/api/v1/push", "{\"items\":[]}")).status()).isEqualTo(201);
  }

  /** The same attack the other way round, by a client that reads little of what it asked for. */
  @Test
  void answersThatAreReadByTheDrop_areNotWaitedFor_whatWasLeasedGoesBack() throws Exception {
    start("QUEEN_HEAD_TIMEOUT_MS", 400, "QUEEN_MIN_BODY_BYTES_PER_SECOND", 100_000);
    AtomicInteger memoryReleased = new AtomicInteger();
    Polled large = HttpFrontFixture.message("\"" + "x".repeat(32 << 20) + "\"");
    RawClient slow = client();
    slow.send(get("/api/v1/pop/queue/q"));
    await().until(() -> broker.polls.size() == 1);
    broker
        .polls
        .get(0)
        .answer
        .complete(
            new Polled(
                large.group(), large.batches(), large.nothing(), memoryReleased::incrementAndGet));
    assertThat(slow.receiveHead().status()).isEqualTo(200);

    await().untilAsserted(() -> assertThat(broker.released).hasSize(1));
    RawClient quick = client();
    quick.send(get("/api/v1/pop/queue/q"));
    await().until(() -> broker.polls.size() == 2);
    broker
        .polls
        .get(1)
        .answer
        .complete(
            new Polled(
                large.group(), large.batches(), large.nothing(), memoryReleased::incrementAndGet));
    assertThat(quick.receive().body()).hasSizeGreaterThan(32 << 20);
    await().untilAsserted(() -> assertThat(memoryReleased).hasValue(1));
    assertThat(broker.released).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"ack", "configure", "lease/00000000-0000-0000-0000-000000000000/extend"})
  void bodiesOfSmallRequests_haveASmallLimit(String route) throws Exception {
    start();
    RawClient.Answer answer =
        ask("127.0.0.1", post("/api/v1/" + route, "{\"x\":\"" + "x".repeat(1 << 20) + "\"}"));
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.body())
        .isEqualTo("{\"error\":\"Request body is larger than the limit of 1048576 bytes\"}");
  }

  @Test
  void batchesOfAcks_haveRoomForThousands() throws Exception {
    start();
    String ack =
        "{\"transactionId\":\"%s\",\"partitionId\":\"00000000-0000-0000-0000-000000000000\",\"status\":\"failed\",\"error\":\"%s\"}"
            .formatted("t".repeat(36), "e".repeat(800));
    String body = "{\"acknowledgments\":[" + (ack + ",").repeat(9_999) + ack + "]}";
    assertThat(ask("127.0.0.1", post("/api/v1/ack/batch", body)).status()).isEqualTo(200);
  }

  @Test
  void bodiesThatComeFastEnough_mayTakeTheirTime() throws Exception {
    start("QUEEN_HEAD_TIMEOUT_MS", 1000, "QUEEN_MIN_BODY_BYTES_PER_SECOND", 1);
    RawClient steady = client();
    String body = "{\"items\":[" + " ".repeat(1000) + "]}";
    steady.send(
        "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body.substring(0, 900)));
    RawClient idle = client();
    // Longer than that one was allowed to take.
    assertThat(idle.isClosedByServer()).isTrue();
    steady.send(body.substring(900));
    assertThat(steady.receive().status()).isEqualTo(201);
  }

  private static boolean dripUntilClosed(RawClient client, String drop) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (System.nanoTime() < end) {
      try {
        client.send(drop);
        if (client.hasEndedWithin(Duration.ofMillis(50))) {
          return true;
        }
      } catch (SocketException reset) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @CsvSource({
    "none,,,",
    "none,http://x,,",
    "own,,*,",
    "own,http://x,*,",
    "https://a.example,https://a.example,https://a.example,origin",
    "https://a.example,HTTPS://A.EXAMPLE,https://a.example,origin",
    "https://a.example,http://x,,origin",
    "https://a.example,,,origin",
    "*,https://a.example,*,",
    "*,null,*,",
    "*,,*,"
  })
  void origins_areToldApart(String origins, String origin, String allowed, String vary)
      throws Exception {
    start("QUEEN_CORS_ORIGINS", origins);
    String[] headers = origin == null ? new String[0] : new String[] {"Origin: " + origin};
    for (String method : List.of("GET", "OPTIONS")) {
      String text = get("/health", headers).replaceFirst("GET", method);
      RawClient.Answer answer = ask("127.0.0.1", text);
      assertThat(answer.status()).isEqualTo(method.equals("GET") ? 200 : 204);
      assertThat(header(answer, "access-control-allow-origin")).isEqualTo(allowed);
      assertThat(header(answer, "vary")).isEqualTo(vary);
      boolean named = allowed != null && !allowed.equals("*");
      assertThat(header(answer, "access-control-allow-credentials"))
          .isEqualTo(named ? "true" : null);
      assertThat(header(answer, "access-control-allow-methods"))
          .matches(m -> (m != null) == (allowed != null));
      assertThat(header(answer, "x-content-type-options")).isEqualTo("nosniff");
      assertThat(header(answer, "server")).isNull();
    }
  }

  /** By every way that a page has: scripts, forms, images, and the question before a script. */
  @ParameterizedTest
  @CsvSource({
    "own,Origin: https://a.example",
    "own,Origin: null",
    "own,Origin: http://x:81",
    "own,Origin: http://x.example",
    "own,Origin: ",
    "own,'Origin: http://x\r\nOrigin: http://x'",
    "own,'Origin: http://x\r\nSec-Fetch-Site: cross-site'",
    "own,Sec-Fetch-Site: cross-site",
    "own,Sec-Fetch-Site: Same-Site",
    "own,'Origin: https://a.example\r\nX-Forwarded-Host: a.example'",
    "none,Origin: https://a.example",
    "none,Sec-Fetch-Site: cross-site",
    "https://a.example,Origin: https://b.example",
    "https://a.example,Origin: http://a.example",
    "https://a.example,Sec-Fetch-Site: cross-site"
  })
  void foreignPages_areRefusedBeforeAnythingIsDone(String origins, String header) throws Exception {
    start("QUEEN_CORS_ORIGINS", origins);
    String pop = "/api/v1/pop/queue/q?autoAck=true";
    String push = "{\"items\":[{\"queue\":\"q\"}]}";
    for (String text :
        List.of(
            get(pop, header),
            get("/health", header),
            get("/nowhere", header),
            get("/api/v1/push", header).replaceFirst("GET", "OPTIONS"),
            get("/health", header).replaceFirst("GET", "HEAD"),
            get(pop, header).replaceFirst("GET", "DELETE"),
            post("/api/v1/push", push)
                .replaceFirst("\r\n", "\r\n" + header + "\r\nContent-Type: text/plain\r\n"))) {
      RawClient client = client();
      client.send(text);
      RawClient.Answer answer = text.startsWith("HEAD") ? client.receiveHead() : client.receive();
      assertThat(answer.status()).as(text).isEqualTo(403);
      assertThat(header(answer, "access-control-allow-origin")).isNull();
      assertThat(header(answer, "x-content-type-options")).isEqualTo("nosniff");
      if (!text.startsWith("HEAD")) {
        assertThat(answer.body()).contains("QUEEN_CORS_ORIGINS");
      }
    }
    assertThat(broker.polls).isEmpty();
    assertThat(broker.pushed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "own,Accept: */*",
    "own,Sec-Fetch-Site: none",
    "own,Sec-Fetch-Site: same-origin",
    "own,'Origin: http://x\r\nSec-Fetch-Site: same-origin'",
    "own,Origin: http://X:80",
    "own,Origin: https://x",
    "none,Origin: http://x",
    "https://a.example,'Origin: https://a.example\r\nSec-Fetch-Site: cross-site'",
    "https://a.example,Origin: http://x",
    "*,'Origin: null\r\nSec-Fetch-Site: cross-site'"
  })
  void ownAndAllowedPages_pass(String origins, String header) throws Exception {
    start("QUEEN_CORS_ORIGINS", origins);
    assertThat(ask("127.0.0.1", get("/health", header)).status()).isEqualTo(200);
    String preflight = get("/api/v1/push", header).replaceFirst("GET", "OPTIONS");
    assertThat(ask("127.0.0.1", preflight).status()).isEqualTo(204);
  }

  /** A tab goes to the dashboard; nothing is embedded, and nothing else is reached. */
  @ParameterizedTest
  @CsvSource({
    "GET,/,navigate,document,404",
    "HEAD,/,navigate,document,404",
    "POST,/,navigate,document,403",
    "GET,/,navigate,iframe,403",
    "GET,/,no-cors,image,403",
    "GET,/,cors,empty,403",
    "GET,/health,navigate,document,403",
    "GET,/?x,navigate,document,404"
  })
  void links_leadToTheDashboardOnly(
      String method, String path, String mode, String destination, int status) throws Exception {
    start("QUEEN_CORS_ORIGINS", "own");
    RawClient client = client();
    client.send(
        get(
                path,
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: " + mode,
                "Sec-Fetch-Dest: " + destination)
            .replaceFirst("GET", method));
    // This fixture has no dashboard, so that a link which passes finds nothing.
    assertThat((method.equals("HEAD") ? client.receiveHead() : client.receive()).status())
        .isEqualTo(status);
  }

  @Test
  void forwardedHost_countsWithATrustedProxy() throws Exception {
    start("QUEEN_TRUSTED_PROXIES", "127.0.0.2", "QUEEN_ALLOWED_HOSTS", "q.example");
    String[] page = {"Origin: https://q.example", "X-Forwarded-Host: evil.example, q.example"};
    assertThat(ask("127.0.0.2", get("/health", page)).status()).isEqualTo(200);
    assertThat(ask("127.0.0.1", get("/health", page)).status()).isEqualTo(421);
    assertThat(ask("127.0.0.2", get("/health", "X-Forwarded-Host: evil.example")).status())
        .isEqualTo(421);
  }

  @ParameterizedTest
  @CsvSource({
    "queen.example,200",
    "Queen.Example:6632,200",
    "queen.example.,200",
    "127.0.0.1:6632,200",
    "10.1.2.3,200",
    "[::1]:6632,200",
    "localhost:1,200",
    "rebind.evil.example,421",
    "queen.example.evil.example,421",
    "10.1.2.3.evil.example,421",
    "localhost.evil.example,421"
  })
  void otherHosts_areMisdirected(String host, int status) throws Exception {
    start("QUEEN_ALLOWED_HOSTS", "queen.example, other");
    RawClient.Answer answer =
        ask("127.0.0.1", "GET /health HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    assertThat(answer.status()).isEqualTo(status);
    // A probe that speaks HTTP/1.0 may leave it out, and is no browser.
    assertThat(ask("127.0.0.1", "GET /health HTTP/1.0\r\n\r\n").status()).isEqualTo(200);
  }

  /** A proxy in front may read these differently, and let through what it should not. */
  @ParameterizedTest
  @CsvSource({
    "'GET /health HTTP/1.1\r\n\r\n',no Host",
    "'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',more than one Host",
    "'GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',more than one Host",
    "'GET /health HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n',more than one Host",
    "'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n',Host header is not",
    "'GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n',Host header is not",
    "'GET /health HTTP/1.1\r\nHost: user@a\r\n\r\n',Host header is not",
    "'GET /health HTTP/1.1\r\nHost: a:99999\r\n\r\n',Host header is not",
    "'GET /health HTTP/1.1\r\nHost:\r\n\r\n',Host header is not",
    "'GET xhealth HTTP/1.1\r\nHost: x\r\n\r\n',begin with a slash",
    "'GET * HTTP/1.1\r\nHost: x\r\n\r\n',begin with a slash",
    "'GET http://y/health HTTP/1.1\r\nHost: x\r\n\r\n',begin with a slash",
    "'GET http://x@y/health HTTP/1.1\r\nHost: x\r\n\r\n',begin with a slash",
    "'GET ?x HTTP/1.1\r\nHost: x\r\n\r\n',begin with a slash",
    "'GET /health HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n',not valid HTTP",
    "'GET /health HTTP/1.1\r\nHost: x\r\nX-A: b\r\n\t\r\n\r\n',not valid HTTP",
    "'GET /health HTTP/1.1\r\n Host: x\r\n\r\n',not valid HTTP",
    "'GET  /health HTTP/1.1\r\nHost: x\r\n\r\n',not valid HTTP",
    "'GET\t/health HTTP/1.1\r\nHost: x\r\n\r\n',not valid HTTP",
    "'GET /health HTTP/1.1 \r\nHost: x\r\n\r\n',not valid HTTP",
    "' GET /health HTTP/1.1\r\nHost: x\r\n\r\n',not valid HTTP",
    "'\u0001GET /health HTTP/1.1\r\nHost: x\r\n\r\n',not valid HTTP",
    "'GET /health HTTP/1.1\r\nHost: x\r\nX-A: b\rc\r\n\r\n',not valid HTTP",
    "'GET /health HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n',not valid HTTP",
    "'GET /health HTTP/1.1\nHost: x\n\n',not valid HTTP"
  })
  void ambiguousHeads_areRefused(String text, String error) throws Exception {
    start();
    // A request that is good comes first: the fault is found later on a connection as well.
    RawClient client = client();
    client.send(get("/health"));
    assertThat(client.receive().status()).isEqualTo(200);
    client.send(text);
    RawClient.Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains(error);
    assertThat(answer.head()).contains("connection: close");
    assertThat(client.isClosedByServer()).isTrue();
  }

  @Test
  void foldedHeader_isFound_howeverItArrives() throws Exception {
    start();
    String text = "GET /health HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n";
    for (int cut = 1; cut < text.length(); cut++) {
      RawClient client = client();
      client.send(text.substring(0, cut));
      client.send(text.substring(cut));
      assertThat(client.receive().status()).as("cut at " + cut).isEqualTo(400);
    }
  }

  @Test
  void goodHeads_pass_whateverBodiesLookLike() throws Exception {
    start();
    RawClient client = client();
    String body = "{\"items\":[{\"queue\":\"q\",\"payload\":1\r\n \r\n\t}]}\r\n\r\n";
    String chunked =
        "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            + Integer.toHexString(body.length())
            + "\r\n"
            + body
            + "\r\n0\r\n\r\n";
    for (String text :
        List.of(
            post("/api/v1/push", body),
            chunked,
            get("/health"),
            "\r\n" + get("/health", "X-Empty:", "X-Space:  a  b "),
            "GET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
            post("/api/v1/push", body))) {
      client.send(text);
      assertThat(client.receive().status()).as(text).isIn(200, 201, 204);
    }
  }

  private static @Nullable String header(RawClient.Answer answer, String name) {
    return answer
        .head()
        .lines()
        .filter(line -> line.startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElse(null);
  }

  /** Two who read one message differently can be played off against each other. */
  @ParameterizedTest
  @CsvSource({
    "'Content-Length: 5\r\nContent-Length: 6'",
    "'Content-Length: 5, 6'",
    "'Content-Length: -1'",
    "'Transfer-Encoding: identity, chunked, x'"
  })
  void ambiguousBodies_areRefused(String headers) throws Exception {
    start();
    RawClient client = client();
    client.send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n\r\n0\r\n\r\n");
    assertThat(client.receive().status()).isEqualTo(400);
    assertThat(client.isClosedByServer()).isTrue();
    assertThat(ask("127.0.0.1", request("GET", "/health")).status()).isEqualTo(200);
  }
}
