package dev.queenmq.server.auth;

import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.limited;
import static dev.queenmq.server.auth.TestTokens.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker that checks tokens with published keys: on other threads, while requests wait. */
@ExtendWith(PostgresExtension.class)
class PublishedKeysIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final KeyPair ED = TestTokens.pair("EdDSA");
  private static final KeyPair EC = TestTokens.pair("ES256");

  @Test
  void requestsThatWaitForTheirTokens_loseNothingOfTheirBodies(TestDatabase database)
      throws IOException {
    try (KeyServer keys =
            new KeyServer(TestTokens.jwks(Map.of("d", ED.getPublic(), "e", EC.getPublic())));
        RunningServer server =
            RunningServer.on(
                database.endpoint(),
                Map.of(
                    "JWT_ENABLED", "true",
                    "JWT_ALGORITHM", "auto",
                    "JWT_JWKS_URL", keys.url().toString()))) {
      // Each with a token of its own, so that each waits; the first ones for the keys, too.
      List<CompletableFuture<Answer>> answers =
          IntStream.range(0, 60)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> push(server, i)))
              .toList();

      assertThat(answers).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(201));
      AuthClient reader = client(server, "ES256", claims("reader", "read-only", "consume-only"));
      // 6 MB: the first answers of a broker are smaller than that, until it knows how large they
      // get.
      List<Integer> sizes = new ArrayList<>();
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                reader
                    .get("/api/v1/pop/queue/large?batch=100&partitions=100&autoAck=true")
                    .messages()
                    .forEach(message -> sizes.add(message.getString("data").length()));
                return sizes.size() >= 60;
              });
      assertThat(sizes).hasSize(60).allMatch(size -> size == 100_000);
      analytics(server, reader);
    }
  }

  private static Answer push(RunningServer server, int i) {
    return client(server, i % 2 == 0 ? "EdDSA" : "ES256", claims("p" + i, "produce-only"))
        .post(
            "/api/v1/push",
            "{\"items\":[{\"queue\":\"large\",\"partition\":\"%d\",\"payload\":\"%s\"}]}"
                .formatted(i % 7, "x".repeat(100_000)));
  }

  /** The routes that another test's settings open. */
  private static void analytics(RunningServer server, AuthClient reader) {
    AuthClient limited = client(server, "EdDSA", limited("l", "read-only", "large"));
    AuthClient producer = client(server, "EdDSA", claims("p", "produce-only"));
    for (String about : List.of("queue-lag", "queue-ops", "queue-parked-replicas", "retention")) {
      String path = "/api/v1/analytics/" + about;
      assertThat(reader.get(path).status()).isEqualTo(200);
      assertThat(AuthClient.stranger(server.port()).get(path).status()).isEqualTo(401);
      assertThat(producer.get(path).status()).isEqualTo(403);
      assertThat(limited.get(path).status()).isEqualTo(403);
      assertThat(limited.get(path + "?queue=other").status()).isEqualTo(403);
      assertThat(limited.get(path + "?queue=large").status()).isEqualTo(200);
      assertThat(limited.get(path + "?queue=other&queue=large").status()).isEqualTo(403);
    }
    for (String path :
        List.of(
            "/api/v1/analytics/system-metrics",
            "/api/v1/analytics/worker-metrics",
            "/api/v1/analytics/postgres-stats",
            "/api/v1/status/buffers")) {
      assertThat(reader.get(path).status()).isEqualTo(200);
      assertThat(AuthClient.stranger(server.port()).get(path).status()).isEqualTo(401);
      assertThat(producer.get(path).status()).isEqualTo(403);
      assertThat(limited.get(path).status()).isEqualTo(403);
    }
  }

  @Test
  void broker_startsWithoutKeys_andSaysSo(TestDatabase database) throws IOException {
    int unusedPort;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unusedPort = free.getLocalPort();
    }
    try (RunningServer server =
        RunningServer.on(
            database.endpoint(),
            Map.of(
                "JWT_ENABLED", "true",
                "JWT_ALGORITHM", "EdDSA",
                "JWT_JWKS_URL", "http://127.0.0.1:" + unusedPort + "/keys"))) {
      Answer answer = client(server, "EdDSA", claims("a", "admin")).get("/api/v1/status");

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.error()).isEqualTo("Failed to fetch JWKS");
      assertThat(answer.http().headers().firstValue("Retry-After")).isPresent();
      assertThat(client(server, "ES256", claims("a", "admin")).get("/api/v1/status").error())
          .isEqualTo("Token uses ES256, expected EdDSA");
      assertThat(AuthClient.stranger(server.port()).get("/health").status()).isEqualTo(200);
    }
  }

  private static AuthClient client(RunningServer server, String algorithm, JwtClaims claims) {
    KeyPair pair = algorithm.equals("EdDSA") ? ED : EC;
    String id = algorithm.equals("EdDSA") ? "d" : "e";
    return AuthClient.with(
        server.port(), "Bearer " + signed(algorithm, pair.getPrivate(), id, claims));
  }
}
