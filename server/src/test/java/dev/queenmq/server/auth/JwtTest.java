package dev.queenmq.server.auth;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.hs256;
import static dev.queenmq.server.auth.TestTokens.pair;
import static dev.queenmq.server.auth.TestTokens.pem;
import static dev.queenmq.server.auth.TestTokens.raw;
import static dev.queenmq.server.auth.TestTokens.secretKey;
import static dev.queenmq.server.auth.TestTokens.signed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.AuthConfig;
import dev.queenmq.server.config.ServerConfig;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, good and bad, against every configuration that could take a bad one for a good one. */
class JwtTest {
  private static final KeyPair OTHER_RSA = pair("RS256");
  private static final KeyPair RSA = TestTokens.Rsa.PAIR;
  private static final KeyPair EC = pair("ES256");
  private static final KeyPair ED = pair("EdDSA");

  private final List<Authenticator> opened = new ArrayList<>();
  private Instant now = Instant.now();

  @AfterEach
  void close() {
    opened.forEach(Authenticator::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HS256", "HS384", "HS512"})
  void secretTokens_areTaken(String algorithm) {
    String token = signed(algorithm, secretKey(SECRET), null, claims("alice", "admin"));

    assertThat(admitted(with(Map.of("JWT_ALGORITHM", algorithm)), token).subject())
        .contains("alice");
    assertThat(admitted(with(Map.of("JWT_ALGORITHM", "auto")), token).subject()).contains("alice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "RS384", "RS512", "ES256", "EdDSA"})
  void signedTokens_areTaken(String algorithm) {
    KeyPair pair = keys(algorithm);
    String token = signed(algorithm, pair.getPrivate(), "any", claims("alice", "admin"));

    for (String configured : List.of(algorithm, "auto")) {
      Authenticator authenticator =
          with(Map.of("JWT_ALGORITHM", configured, "JWT_PUBLIC_KEY", pem(pair.getPublic())));
      assertThat(admitted(authenticator, token).subject()).contains("alice");
      String tampered =
          token.substring(0, token.indexOf('.') + 1)
              + payload("{\"role\":\"admin\"}")
              + token.substring(token.lastIndexOf('.'));
      assertThat(refused(authenticator, tampered)).isEqualTo("Invalid token signature");
      String another =
          signed(algorithm, other(algorithm).getPrivate(), "any", claims("a", "admin"));
      assertThat(refused(authenticator, another)).isEqualTo("Invalid token signature");
    }
  }

  /** The classic: the head says HMAC, and the "secret" is the public key, which is no secret. */
  @ParameterizedTest
  @ValueSource(strings = {"HS256", "HS384", "HS512"})
  void publicKey_isNoSecret(String algorithm) {
    for (KeyPair pair : List.of(RSA, EC, ED)) {
      String pem = pem(pair.getPublic());
      for (byte[] guess :
          List.of(
              pem.getBytes(StandardCharsets.UTF_8),
              pem.strip().getBytes(StandardCharsets.UTF_8),
              pair.getPublic().getEncoded())) {
        byte[] longEnough = java.util.Arrays.copyOf(guess, Math.max(64, guess.length));
        String token =
            signed(algorithm, new SecretKeySpec(longEnough, "HMAC"), null, claims("eve", "admin"));
        assertThat(refused(without(Map.of("JWT_ALGORITHM", "auto", "JWT_PUBLIC_KEY", pem)), token))
            .isEqualTo("Unsupported algorithm: " + algorithm);
        assertThat(refused(with(Map.of("JWT_ALGORITHM", "auto", "JWT_PUBLIC_KEY", pem)), token))
            .isEqualTo("Invalid token signature");
      }
    }
    String token = signed(algorithm, secretKey(SECRET), null, claims("eve", "admin"));
    assertThat(
            refused(
                without(Map.of("JWT_ALGORITHM", "RS256", "JWT_PUBLIC_KEY", pem(RSA.getPublic()))),
                token))
        .isEqualTo("Token uses %s, expected RS256".formatted(algorithm));
  }

  @Test
  void keys_serveTheirOwnAlgorithmOnly() {
    Map<String, String> rsa =
        Map.of("JWT_ALGORITHM", "auto", "JWT_PUBLIC_KEY", pem(RSA.getPublic()));
    assertThat(refused(with(rsa), signed("ES256", EC.getPrivate(), null, claims("eve", "admin"))))
        .isEqualTo("Unsupported algorithm: ES256");
    assertThat(refused(with(rsa), signed("EdDSA", ED.getPrivate(), null, claims("eve", "admin"))))
        .isEqualTo("Unsupported algorithm: EdDSA");
    assertThat(refused(with(rsa), signed("PS256", RSA.getPrivate(), null, claims("e", "admin"))))
        .isEqualTo("Unsupported algorithm: PS256");
    assertThat(
            refused(with(Map.of()), signed("RS256", RSA.getPrivate(), null, claims("e", "admin"))))
        .isEqualTo("Token uses RS256, expected HS256");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "None", "NONE", "nOnE", "hs256", "HS1", "", "ES256K"})
  void unsignedTokens_areRefused(String algorithm) {
    String claims = claims("eve", "admin").toJson();
    String head = "{\"alg\":\"%s\"}".formatted(algorithm);
    for (String configured : List.of("HS256", "auto")) {
      Authenticator authenticator = with(Map.of("JWT_ALGORITHM", configured));
      for (String signature : List.of("", "x")) {
        assertThat(refused(authenticator, raw(head, claims, signature)))
            .isEqualTo("Unsupported algorithm: " + algorithm);
      }
    }
    assertThat(refused(with(Map.of()), raw("{\"alg\":\"HS256\"}", claims, "")))
        .isEqualTo("Invalid token signature");
  }

  @Test
  void publicKeyInTheHead_isIgnored() {
    String jwk = TestTokens.jwks(Map.of("k", RSA.getPublic()));
    String head =
        "{\"alg\":\"RS256\",\"jwk\":"
            + jwk.substring("{\"keys\":[".length(), jwk.length() - 2)
            + ",\"jku\":\"http://localhost:1/\",\"x5u\":\"http://localhost:1/\"}";
    assertThat(refused(with(Map.of("JWT_ALGORITHM", "auto")), raw(head, "{}", "x")))
        .isEqualTo("Unsupported algorithm: RS256");
    assertThat(
            refused(
                with(Map.of("JWT_ALGORITHM", "auto", "JWT_PUBLIC_KEY", pem(OTHER_RSA.getPublic()))),
                raw(head, claims("e", "admin").toJson(), "x")))
        .isEqualTo("Invalid token signature");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "..",
        "a.b",
        "a.b.c",
        "a.b.c.d",
        "a.b.c.d.e",
        "eyJhbGciOiJIUzI1NiJ9..",
        "\u00e4.\u00e4.\u00e4",
        "bm90IGpzb24.e30.e30",
        "W10.e30.e30",
        "bnVsbA.e30.e30",
        "e30.e30.e30"
      })
  void nonsense_isRefused(String token) {
    assertThat(refused(with(Map.of("JWT_ALGORITHM", "auto")), token))
        .startsWith("Token decode error: ");
  }

  @Test
  void headsThatAskForMore_areRefused() {
    for (String more :
        List.of(
            "\"crit\":[\"exp\"],\"exp\":1",
            "\"b64\":false,\"crit\":[\"b64\"]",
            "\"crit\":[]",
            "\"kid\":7",
            "\"kid\":\"" + "k".repeat(257) + "\"")) {
      assertThat(refused(with(Map.of()), raw("{\"alg\":\"HS256\"," + more + "}", "{}", "x")))
          .startsWith("Token decode error: ");
    }
    assertThat(refused(with(Map.of()), raw("{\"alg\":[\"HS256\"]}", "{}", "x")))
        .startsWith("Token decode error: ");
    assertThat(refused(with(Map.of()), raw("{\"alg\":\"HS256\",\"alg\":\"none\"}", "{}", "")))
        .isNotEmpty();
  }

  @Test
  void hugeTokens_areRefusedUnread() {
    JwtClaims claims = claims("alice", "admin");
    claims.setStringClaim("more", "x".repeat(7000));
    assertThat(refused(with(Map.of()), hs256(claims)))
        .isEqualTo("Token decode error: longer than 8192 bytes");
    claims.setStringClaim("more", "x".repeat(5000));
    assertThat(admitted(with(Map.of()), hs256(claims)).subject()).contains("alice");
    String deep = "[".repeat(3000) + "]".repeat(3000);
    assertThat(refused(with(Map.of()), raw(deep, "{}", "x"))).startsWith("Token decode error: ");
    assertThat(refused(with(Map.of()), ".".repeat(1 << 20)))
        .isEqualTo("Token decode error: longer than 8192 bytes");
  }

  @Test
  void time_isWatched_alsoForTokensThatWereSeenBefore() {
    Authenticator authenticator = with(Map.of());
    JwtClaims claims = claims("alice", "admin");
    claims.setExpirationTime(NumericDate.fromSeconds(now.getEpochSecond() + 60));
    claims.setNotBefore(NumericDate.fromSeconds(now.getEpochSecond() - 60));
    String token = hs256(claims);
    Instant start = now;

    admitted(authenticator, token);
    now = start.plusSeconds(89);
    admitted(authenticator, token);
    now = start.plusSeconds(91);
    assertThat(refused(authenticator, token)).isEqualTo("Token has expired");
    now = start.minusSeconds(89);
    admitted(authenticator, token);
    now = start.minusSeconds(91);
    assertThat(refused(authenticator, token)).isEqualTo("Token is not valid yet");
    assertThat(refused(with(Map.of()), token)).isEqualTo("Token is not valid yet");
    now = start.plusSeconds(3600);
    assertThat(refused(with(Map.of()), token)).isEqualTo("Token has expired");
    now = start.plusSeconds(61);
    assertThat(refused(with(Map.of("JWT_CLOCK_SKEW", "0")), token)).isEqualTo("Token has expired");
  }

  @Test
  void tokensFromTheFuture_areRefused() {
    JwtClaims claims = claims("alice", "admin");
    claims.setIssuedAt(NumericDate.fromSeconds(now.getEpochSecond() + 120));
    assertThat(refused(with(Map.of()), hs256(claims))).isEqualTo("Token is not valid yet");
  }

  @Test
  void expiry_isNeeded_unlessSwitchedOff() {
    JwtClaims claims = claims("alice", "admin");
    claims.unsetClaim("exp");
    assertThat(refused(with(Map.of()), hs256(claims))).isEqualTo("Token has no exp claim");
    assertThat(admitted(with(Map.of("JWT_REQUIRE_EXP", "false")), hs256(claims)).subject())
        .contains("alice");
    claims.setClaim("exp", "tomorrow");
    assertThat(refused(with(Map.of("JWT_REQUIRE_EXP", "false")), hs256(claims)))
        .isEqualTo("Token decode error: bad claim exp");
    claims.setClaim("exp", Long.MAX_VALUE);
    admitted(with(Map.of()), hs256(claims));
    claims.setClaim("exp", Long.MIN_VALUE);
    assertThat(refused(with(Map.of()), hs256(claims))).isEqualTo("Token has expired");
  }

  @Test
  void issuerAndAudience_mustBeRight() {
    Authenticator authenticator = with(Map.of("JWT_ISSUER", "login", "JWT_AUDIENCE", "queen"));
    JwtClaims claims = claims("alice", "admin");
    claims.setAudience("queen");
    assertThat(refused(authenticator, hs256(claims))).isEqualTo("Invalid token issuer");
    claims.setIssuer("other");
    assertThat(refused(authenticator, hs256(claims))).isEqualTo("Invalid token issuer");
    claims.setIssuer("login");
    admitted(authenticator, hs256(claims));
    claims.setAudience("others", "queen");
    admitted(authenticator, hs256(claims));
    claims.setAudience("others", "queenmq");
    assertThat(refused(authenticator, hs256(claims))).isEqualTo("Invalid token audience");
    claims.unsetClaim("aud");
    assertThat(refused(authenticator, hs256(claims))).isEqualTo("Invalid token audience");
    claims.setClaim("aud", 7);
    assertThat(refused(authenticator, hs256(claims))).isEqualTo("Invalid token audience");
  }

  @ParameterizedTest
  @CsvSource({
    "admin, true, true, true, true, true",
    "read-write, true, true, true, true, false",
    "read-only, true, false, false, false, false",
    "produce-only, false, true, false, false, false",
    "consume-only, false, false, true, false, false",
    "Admin, false, false, false, false, false"
  })
  void roles_allowWhatTheySay(
      String role, boolean read, boolean produce, boolean consume, boolean manage, boolean admin) {
    JwtClaims one = claims("alice");
    one.setClaim("role", role);
    for (JwtClaims claims : List.of(one, claims("alice", "unknown", role))) {
      Caller caller = admitted(with(Map.of()), hs256(claims));
      assertThat(caller.may(Access.OPEN)).isTrue();
      assertThat(caller.may(Access.READ)).isEqualTo(read);
      assertThat(caller.may(Access.PRODUCE)).isEqualTo(produce);
      assertThat(caller.may(Access.CONSUME)).isEqualTo(consume);
      assertThat(caller.may(Access.EXCHANGE)).isEqualTo(produce || consume);
      assertThat(caller.may(Access.PROCESS)).isEqualTo(manage);
      assertThat(caller.may(Access.MANAGE)).isEqualTo(manage);
      assertThat(caller.may(Access.ADMIN)).isEqualTo(admin);
    }
  }

  @Test
  void roles_addUp_andNoneAllowsNothing() {
    Caller both = admitted(with(Map.of()), hs256(claims("a", "produce-only", "consume-only")));
    assertThat(both.may(Access.PRODUCE) && both.may(Access.CONSUME)).isTrue();
    assertThat(both.may(Access.READ) || both.may(Access.MANAGE)).isFalse();
    JwtClaims none = claims("a");
    none.setClaim("role", Map.of("admin", true));
    assertThat(admitted(with(Map.of()), hs256(none)).may(Access.READ)).isFalse();
  }

  @Test
  void queues_areLimitedByNameAndByBeginning() {
    JwtClaims claims = claims("alice", "admin");
    assertThat(admitted(with(Map.of()), hs256(claims)).isLimited()).isFalse();
    claims.setStringListClaim("queues", "orders", "billing.*");
    QueueLimit limit = admitted(with(Map.of()), hs256(claims)).queues();
    assertThat(List.of("orders", "billing.", "billing.x")).allMatch(limit::allows);
    assertThat(List.of("order", "orders2", "Orders", "billing", "billing*", ""))
        .noneMatch(limit::allows);
    claims.setStringListClaim("queues", List.of());
    assertThat(admitted(with(Map.of()), hs256(claims)).queues().allows("orders")).isFalse();
    claims.setStringListClaim("queues", "*");
    assertThat(admitted(with(Map.of()), hs256(claims)).isLimited()).isFalse();
    claims.setClaim("queues", "orders");
    assertThat(admitted(with(Map.of()), hs256(claims)).queues().allows("other")).isFalse();
  }

  /** A limit that cannot be read must not become none. */
  @Test
  void brokenLimits_areRefused() {
    for (Object value : new Object[] {7, true, Map.of("orders", true), List.of("orders", 7)}) {
      JwtClaims claims = claims("alice", "admin");
      claims.setClaim("queues", value);
      assertThat(refused(with(Map.of()), hs256(claims)))
          .isEqualTo("Token decode error: bad claim queues");
    }
    String nothing = claims("a", "admin").toJson().replace("{", "{\"queues\":null,");
    JwtClaims none = claims("a", "admin");
    none.setClaim("queues", null);
    assertThat(nothing).contains("null");
    assertThat(refused(with(Map.of()), hs256(none)))
        .isEqualTo("Token decode error: bad claim queues");
  }

  @Test
  void subjects_mustBeFitToBeStored_andTheRestIsTolerated() {
    for (Object subject : new Object[] {7, "x".repeat(256), "a\0b", List.of("a")}) {
      JwtClaims claims = claims("alice", "admin");
      claims.setClaim("sub", subject);
      assertThat(refused(with(Map.of()), hs256(claims)))
          .isEqualTo("Token decode error: bad claim sub");
    }
    JwtClaims claims = claims("alice", "admin");
    claims.setClaim("id", 7);
    claims.setClaim("username", List.of());
    assertThat(admitted(with(Map.of()), hs256(claims)).subject()).contains("alice");
    claims.unsetClaim("sub");
    assertThat(admitted(with(Map.of()), hs256(claims)).subject()).isEmpty();
  }

  @Test
  void header_isReadAsClientsWriteIt() {
    Authenticator authenticator = with(Map.of());
    String token = hs256(claims("alice", "admin"));
    for (String header :
        List.of("Bearer " + token, "bearer  " + token + " ", "BEARER\t" + token, token)) {
      assertThat(authenticator.authenticate(List.of(header)).join().subject()).contains("alice");
    }
    for (List<String> headers :
        List.of(
            List.<String>of(),
            List.of(""),
            List.of("Bearer"),
            List.of("Basic " + token),
            List.of("Bearer "))) {
      assertThat(refusal(authenticator, headers))
          .returns(AuthException.Kind.MISSING, AuthException::kind)
          .returns("Authentication required", AuthException::text);
    }
    assertThat(refusal(authenticator, List.of("Bearer " + token, "Bearer " + token)).kind())
        .isEqualTo(AuthException.Kind.INVALID);
  }

  @Test
  void refusals_showNothingOfTheToken() {
    String token = hs256(claims("alice", "admin"));
    String tampered = token.substring(0, token.length() - 3) + "AAA";
    assertThat(refused(with(Map.of()), tampered)).doesNotContain(token.substring(0, 10));
    assertThat(
            refused(with(Map.of()), raw("{\"alg\":\"a\\nb" + "x".repeat(500) + "\"}", "{}", "x")))
        .hasSizeLessThan(120)
        .doesNotContain("\n");
  }

  private static KeyPair other(String algorithm) {
    return algorithm.startsWith("RS") ? OTHER_RSA : pair(algorithm);
  }

  private static KeyPair keys(String algorithm) {
    return algorithm.startsWith("RS") ? RSA : algorithm.equals("ES256") ? EC : ED;
  }

  private static String payload(String json) {
    return java.util.Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  private Authenticator with(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.putIfAbsent("JWT_SECRET", SECRET);
    return without(environment);
  }

  private Authenticator without(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("JWT_ENABLED", "true");
    AuthConfig config = ServerConfig.read(environment, List.of()).auth();
    Authenticator authenticator =
        new Authenticator(config, new FixedKeys(config, Optional.empty()), () -> now, () -> {});
    opened.add(authenticator);
    return authenticator;
  }

  private static Caller admitted(Authenticator authenticator, String token) {
    return authenticator.authenticate(List.of("Bearer " + token)).join();
  }

  private static String refused(Authenticator authenticator, String token) {
    AuthException refusal = refusal(authenticator, List.of("Bearer " + token));
    assertThat(refusal.kind()).isEqualTo(AuthException.Kind.INVALID);
    return refusal.text();
  }

  private static AuthException refusal(Authenticator authenticator, List<String> headers) {
    try {
      Caller caller = authenticator.authenticate(headers).join();
      throw new AssertionError("was let in: " + caller.subject());
    } catch (CompletionException e) {
      return (AuthException) Objects.requireNonNull(e.getCause());
    }
  }
}
