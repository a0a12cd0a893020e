package dev.queenmq.server.http.routing;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.auth.AuditLog;
import dev.queenmq.server.auth.Authenticator;
import dev.queenmq.server.auth.SkipPaths;
import dev.queenmq.server.auth.TestTokens;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.http.server.RawClient;
import dev.queenmq.server.model.QueueLabels;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests whose token and partition are both checked while the request waits. */
class GuardTest {
  private static final String BODY = "{\"error\":\"no\"}";

  private final KeyPair keys = TestTokens.pair("ES256");
  private final Vertx vertx = Vertx.vertx();
  private final BodyHandler bodies = new BodyHandler(1 << 20, BodyHandler.budget(64 << 20));
  private Authenticator authenticator;
  private HttpServer server;

  @BeforeEach
  void start() {
    authenticator =
        Authenticator.start(
            ServerConfig.read(
                    Map.of(
                        "JWT_ENABLED", "true",
                        "JWT_ALGORITHM", "ES256",
                        "JWT_PUBLIC_KEY", TestTokens.pem(keys.getPublic())),
                    List.of())
                .auth(),
            InstantSource.system(),
            System::nanoTime);
    Guard guard =
        new Guard(
            Optional.of(authenticator),
            new SkipPaths(List.of()),
            AuditLog.none(),
            new SlowQueueNames(vertx));
    Route echo =
        Route.calling(
            HttpMethod.POST,
            "/api/v1/messages/:partitionId",
            Access.CONSUME,
            QueueScope.PARTITION,
            (request, path, call) ->
                bodies.handle(
                    request,
                    body ->
                        JsonReply.send(
                            request, 200, new JsonObject().put("length", body.length()))));
    server =
        await(
            vertx
                .createHttpServer()
                .requestHandler(new RouteTable(List.of(echo), guard))
                .listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    await(vertx.close());
    authenticator.close();
  }

  @Test
  void body_isKept_whileTokenAndThenPartitionAreChecked() throws Exception {
    try (RawClient client = new RawClient(server.actualPort())) {
      // The second time the token is known, so that only the partition is looked up.
      for (int i = 0; i < 2; i++) {
        client.send(request(token("mine")));
        RawClient.Answer answer = client.receive();
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"length\":" + BODY.length() + "}");
      }
    }
  }

  @Test
  void connection_goesOn_afterARefusal() throws Exception {
    try (RawClient client = new RawClient(server.actualPort())) {
      for (int i = 0; i < 2; i++) {
        client.send(request(token("another")));
        assertThat(client.receive().status()).isEqualTo(403);
        client.send(request("none"));
        assertThat(client.receive().status()).isEqualTo(401);
      }
      client.send(request(token("mine")));
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  private String token(String queue) {
    return TestTokens.signed(
        "ES256", keys.getPrivate(), null, TestTokens.limited("a", "read-write", queue));
  }

  private static String request(String token) {
    return "POST /api/v1/messages/%s HTTP/1.1\r\nHost: x\r\n".formatted(new UUID(1, 2))
        + "Authorization: Bearer %s\r\n".formatted(token)
        + "Content-Length: %d\r\n\r\n%s"
            .formatted(BODY.getBytes(StandardCharsets.UTF_8).length, BODY);
  }

  /** Every partition belongs to the queue {@code mine}; the answer comes a little later. */
  private record SlowQueueNames(Vertx vertx) implements QueueNames {
    private static final Duration PAUSE = Duration.ofMillis(200);

    @Override
    public Future<List<String>> ofPartitions(Collection<UUID> partitionIds) {
      return vertx.timer(PAUSE.toMillis(), TimeUnit.MILLISECONDS).map(List.of("mine"));
    }

    @Override
    public Future<List<String>> ofLease(UUID leaseId) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<String>> ofStream(String name) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<String>> ofQuery(UUID queryId) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<Optional<QueueLabels>> labels(String queue) {
      return Future.succeededFuture(Optional.empty());
    }
  }
}
