package dev.queenmq.server.auth;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.jwks;
import static dev.queenmq.server.auth.TestTokens.pair;
import static dev.queenmq.server.auth.TestTokens.secretKey;
import static dev.queenmq.server.auth.TestTokens.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.config.AuthConfig;
import dev.queenmq.server.config.ServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Published keys: that they change, and that who publishes them may be away, slow or mad. */
class JwksTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final KeyPair RSA = TestTokens.Rsa.PAIR;
  private static final KeyPair EC = pair("ES256");
  private static final KeyPair ED = pair("EdDSA");

  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void keysOfAllKinds_areFoundByTheirIds_andWithout() {
    KeyServer server =
        server(jwks(Map.of("r", RSA.getPublic(), "e", EC.getPublic(), "d", ED.getPublic())));
    Authenticator authenticator = authenticator(server.url(), LONG, LONG, LONG);

    assertThat(subject(authenticator, signed("RS512", RSA.getPrivate(), "r", claims("1", "admin"))))
        .isEqualTo("1");
    assertThat(subject(authenticator, signed("ES256", EC.getPrivate(), "e", claims("2", "admin"))))
        .isEqualTo("2");
    assertThat(subject(authenticator, signed("EdDSA", ED.getPrivate(), null, claims("3", "admin"))))
        .isEqualTo("3");
    assertThat(refused(authenticator, signed("ES256", EC.getPrivate(), "r", claims("4", "admin"))))
        .isEqualTo("Invalid token signature");
    assertThat(server.fetches()).isEqualTo(1);
  }

  /** A published secret, or a published key for another use, is no key for tokens. */
  @Test
  void secretsAndKeysForOtherUses_areNoKeys() {
    String secret =
        "{\"kty\":\"oct\",\"kid\":\"s\",\"k\":\"%s\"}"
            .formatted(
                java.util.Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(secretKey(SECRET).getEncoded()));
    String good = jwks(Map.of("d", ED.getPublic()));
    String encryption =
        jwks(Map.of("x", EC.getPublic())).replace("\"kid\"", "\"use\":\"enc\",\"kid\"");
    String pinned =
        jwks(Map.of("p", RSA.getPublic())).replace("\"kid\"", "\"alg\":\"RS512\",\"kid\"");
    KeyServer server =
        server(
            "{\"keys\":["
                + secret
                + ",{\"kty\":\"new\"},"
                + inner(encryption)
                + ","
                + inner(pinned)
                + ","
                + inner(good)
                + "]}");
    Authenticator authenticator = authenticator(server.url(), LONG, LONG, LONG);

    subject(authenticator, signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin")));
    assertThat(
            refused(authenticator, signed("HS256", secretKey(SECRET), "s", claims("1", "admin"))))
        .isEqualTo("Unsupported algorithm: HS256");
    assertThat(refused(authenticator, signed("ES256", EC.getPrivate(), "x", claims("1", "admin"))))
        .isEqualTo("Unknown key ID: x");
    subject(authenticator, signed("RS512", RSA.getPrivate(), "p", claims("1", "admin")));
    assertThat(refused(authenticator, signed("RS256", RSA.getPrivate(), "p", claims("1", "admin"))))
        .isEqualTo("Invalid token signature");
  }

  @Test
  void floodOfUnknownKeys_causesFewFetches() {
    KeyServer server = server(jwks(Map.of("d", ED.getPublic())));
    Authenticator authenticator = authenticator(server.url(), LONG, LONG, LONG);
    String good = signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin"));
    subject(authenticator, good);

    List<CompletableFuture<Caller>> answers = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      answers.add(
          authenticator.authenticate(
              List.of(TestTokens.raw("{\"alg\":\"EdDSA\",\"kid\":\"k" + i + "\"}", "{}", "x"))));
    }

    assertThat(answers)
        .allSatisfy(answer -> assertThat(text(answer)).startsWith("Unknown key ID: k"));
    assertThat(server.fetches()).isEqualTo(1);
    subject(authenticator, good);
  }

  @Test
  void newKey_isFetched_whenATokenNamesIt_andOldKeysGo() {
    KeyServer server = server(jwks(Map.of("old", ED.getPublic())));
    Authenticator authenticator = authenticator(server.url(), LONG, SHORT, LONG);
    String before = signed("EdDSA", ED.getPrivate(), "old", claims("1", "admin"));
    subject(authenticator, before);
    KeyPair next = pair("EdDSA");
    server.answer(200, jwks(Map.of("new", next.getPublic())));
    String after = signed("EdDSA", next.getPrivate(), "new", claims("2", "admin"));

    await().until(() -> !authenticator.authenticate(List.of(after)).isCompletedExceptionally());

    assertThat(subject(authenticator, after)).isEqualTo("2");
    // Although it was found to be good once: its key is not any more.
    assertThat(refused(authenticator, before)).isEqualTo("Unknown key ID: old");
  }

  @Test
  void keys_areFetchedAgainNowAndThen() {
    KeyServer server = server(jwks(Map.of("d", ED.getPublic())));
    authenticator(server.url(), SHORT, SHORT, LONG);

    await().until(() -> server.fetches() > 3);
  }

  @Test
  void keysStay_whileTheServerIsAway_brokenOrMad() {
    KeyServer server = server(jwks(Map.of("d", ED.getPublic())));
    Authenticator authenticator = authenticator(server.url(), SHORT, SHORT, LONG);
    subject(authenticator, signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin")));
    int n = 0;
    for (String nonsense : List.of("", "[]", "{}", "{\"keys\":7}", "<html>", "x".repeat(1 << 20))) {
      server.answer(200, nonsense);
      int seen = server.fetches();
      await().until(() -> server.fetches() > seen + 1);
      subject(authenticator, signed("EdDSA", ED.getPrivate(), "d", claims("n" + n++, "admin")));
    }
    server.answer(500, jwks(Map.of("new", RSA.getPublic())));
    int seen = server.fetches();
    await().until(() -> server.fetches() > seen + 1);
    subject(authenticator, signed("EdDSA", ED.getPrivate(), "d", claims("2", "admin")));
    server.close();
    subject(authenticator, signed("EdDSA", ED.getPrivate(), "d", claims("3", "admin")));
  }

  /** A key that leaked is withdrawn by publishing the set without it, be it the last. */
  @Test
  void withdrawnKeys_countNoMore_alsoTheLast() {
    KeyServer server = server(jwks(Map.of("d", ED.getPublic(), "e", EC.getPublic())));
    Authenticator authenticator = authenticator(server.url(), SHORT, SHORT, LONG);
    String first = signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin"));
    String second = signed("ES256", EC.getPrivate(), "e", claims("2", "admin"));
    subject(authenticator, first);
    subject(authenticator, second);

    server.answer(200, jwks(Map.of("e", EC.getPublic())));
    await().until(() -> isRefused(authenticator, first));
    assertThat(refused(authenticator, first)).isEqualTo("Unknown key ID: d");
    subject(authenticator, second);

    server.answer(200, "{\"keys\":[]}");
    await().until(() -> isRefused(authenticator, second));
    assertThat(refused(authenticator, second)).isEqualTo("Unknown key ID: e");

    server.answer(200, jwks(Map.of("e", EC.getPublic())));
    await().until(() -> !isRefused(authenticator, second));
  }

  /** Waits for the answer, which may take a question to the server of keys. */
  private static boolean isRefused(Authenticator authenticator, String token) {
    return authenticator
        .authenticate(List.of(token))
        .handle((caller, failure) -> failure != null)
        .join();
  }

  @Test
  void tokensAreNotJudged_untilKeysAreThere() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Authenticator authenticator =
        authenticator(URI.create("http://127.0.0.1:" + port + "/keys"), LONG, SHORT, LONG);
    String token = signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin"));

    AuthException refusal = refusal(authenticator.authenticate(List.of(token)));
    assertThat(refusal.kind()).isEqualTo(AuthException.Kind.UNAVAILABLE);
    assertThat(refusal.text()).isEqualTo("Failed to fetch JWKS");

    opened.add(new KeyServer(jwks(Map.of("d", ED.getPublic())), port));
    await().until(() -> !authenticator.authenticate(List.of(token)).isCompletedExceptionally());
    assertThat(subject(authenticator, token)).isEqualTo("1");
  }

  @Test
  void hugeAnswers_areNotReadToTheirEnd() {
    KeyServer server =
        server(
            jwks(Map.of("d", ED.getPublic()))
                .replace("{\"keys\"", "{" + " ".repeat(300_000) + "\"keys\""));
    Authenticator authenticator = authenticator(server.url(), LONG, LONG, LONG);

    assertThat(
            refusal(
                    authenticator.authenticate(
                        List.of(signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin")))))
                .kind())
        .isEqualTo(AuthException.Kind.UNAVAILABLE);
  }

  /** One that sends a part and then nothing must not hold up those who wait. */
  @Test
  void slowAnswers_areGivenUp() {
    KeyServer server = server(jwks(Map.of("d", ED.getPublic())));
    server.keepSilent();
    Authenticator authenticator = authenticator(server.url(), LONG, LONG, Duration.ofMillis(300));

    assertThat(
            refusal(
                    authenticator.authenticate(
                        List.of(signed("EdDSA", ED.getPrivate(), "d", claims("1", "admin")))))
                .text())
        .isEqualTo("Failed to fetch JWKS");
  }

  private KeyServer server(String answer) {
    KeyServer server = new KeyServer(answer);
    opened.add(server);
    return server;
  }

  private Authenticator authenticator(URI url, Duration refresh, Duration pause, Duration timeout) {
    AuthConfig config =
        ServerConfig.read(
                Map.of(
                    "JWT_ENABLED", "true", "JWT_ALGORITHM", "auto", "JWT_JWKS_URL", url.toString()),
                List.of())
            .auth();
    JwksKeys keys =
        new JwksKeys(url, new JwksKeys.Rules(refresh, pause, timeout, 256 << 10), System::nanoTime);
    keys.start();
    Authenticator authenticator =
        new Authenticator(
            config, new FixedKeys(config, Optional.of(keys)), InstantSource.system(), keys::close);
    opened.add(0, authenticator);
    return authenticator;
  }

  private static String inner(String set) {
    return set.substring("{\"keys\":[".length(), set.length() - 2);
  }

  private static String subject(Authenticator authenticator, String token) {
    return authenticator.authenticate(List.of("Bearer " + token)).join().subject().orElseThrow();
  }

  private static String refused(Authenticator authenticator, String token) {
    return text(authenticator.authenticate(List.of("Bearer " + token)));
  }

  private static String text(CompletableFuture<Caller> answer) {
    return refusal(answer).text();
  }

  private static AuthException refusal(CompletableFuture<Caller> answer) {
    try {
      answer.join();
      throw new AssertionError("was let in");
    } catch (CompletionException e) {
      return (AuthException) Objects.requireNonNull(e.getCause());
    }
  }
}
