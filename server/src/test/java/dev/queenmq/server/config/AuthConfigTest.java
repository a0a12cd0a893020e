package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.TokenAlgorithm;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthConfigTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  @Test
  void read_takesEveryVariable() throws GeneralSecurityException {
    PublicKey key = key("Ed25519", null);
    Map<String, String> environment = new HashMap<>();
    environment.put("JWT_ENABLED", "true");
    environment.put("JWT_ALGORITHM", "eddsa");
    environment.put("JWT_SECRET", SECRET);
    environment.put("JWT_PUBLIC_KEY", pem(key));
    environment.put("JWT_JWKS_URL", "https://login.example/keys");
    environment.put("JWT_ISSUER", "login");
    environment.put("JWT_AUDIENCE", "queen");
    environment.put("JWT_CLOCK_SKEW", "5");
    environment.put("JWT_REQUIRE_EXP", "false");
    environment.put("JWT_SKIP_PATHS", "/a, /b/");
    environment.put("JWT_JWKS_REFRESH_INTERVAL", "60");
    environment.put("JWT_JWKS_TIMEOUT_MS", "700");
    environment.put("JWT_ROLES_CLAIM", "r");
    environment.put("JWT_ROLES_ARRAY_CLAIM", "rs");
    environment.put("JWT_ROLE_ADMIN", "1");
    environment.put("JWT_ROLE_READ_WRITE", "2");
    environment.put("JWT_ROLE_READ_ONLY", "3");
    environment.put("JWT_ROLE_PRODUCE_ONLY", "4");
    environment.put("JWT_ROLE_CONSUME_ONLY", "5");
    environment.put("JWT_QUEUES_CLAIM", "q");
    environment.put("JWT_NAMESPACES_CLAIM", "n");
    environment.put("JWT_TASKS_CLAIM", "t");
    environment.put("QUEEN_METRICS_REQUIRE_TOKEN", "true");
    environment.put("QUEEN_AUDIT_FILE", "/var/log/audit");

    assertThat(read(environment))
        .isEqualTo(
            new AuthConfig(
                true,
                Optional.of(TokenAlgorithm.EDDSA),
                Optional.of(new Secret(SECRET)),
                Optional.of(key),
                Optional.of(URI.create("https://login.example/keys")),
                Optional.of("login"),
                Optional.of("queen"),
                Duration.ofSeconds(5),
                false,
                List.of("/a", "/b/"),
                Duration.ofMinutes(1),
                Duration.ofMillis(700),
                new AuthConfig.Roles("r", "rs", "1", "2", "3", "4", "5"),
                "q",
                "n",
                "t",
                true,
                Optional.of(Path.of("/var/log/audit"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HS256 | JWT_SECRET is missing; make one with: openssl rand -hex 32",
        "HS512 | JWT_SECRET is missing; make one with: openssl rand -hex 64",
        "RS256 | neither JWT_PUBLIC_KEY nor JWT_JWKS_URL is set",
        "ES256 | neither JWT_PUBLIC_KEY nor JWT_JWKS_URL is set",
        "EdDSA | neither JWT_PUBLIC_KEY nor JWT_JWKS_URL is set",
        "auto | there is nothing to check tokens with: set JWT_SECRET, JWT_PUBLIC_KEY or"
            + " JWT_JWKS_URL"
      })
  void read_refusesToCheckTokensWithNothing(String algorithm, String text) {
    assertThatThrownBy(() -> read(Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", algorithm)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(text);
  }

  @Test
  void read_refusesShortSecrets_andDoesNotRepeatThem() {
    assertThatThrownBy(() -> read(Map.of("JWT_ENABLED", "true", "JWT_SECRET", "swordfish")))
        .hasMessageContaining("JWT_SECRET has 9 bytes, but HS256 needs at least 32")
        .hasMessageNotContaining("swordfish");
    assertThatThrownBy(
            () ->
                read(Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "HS384", "JWT_SECRET", SECRET)))
        .hasMessageContaining("JWT_SECRET has 32 bytes, but HS384 needs at least 48");
    assertThat(read(Map.of("JWT_SECRET", "swordfish")).enabled()).isFalse();
  }

  @Test
  void read_refusesKeysThatAreNone_ofTheWrongKind_orWeak() throws GeneralSecurityException {
    assertThatThrownBy(() -> read(rsa("-----BEGIN PRIVATE KEY-----\nhoney")))
        .hasMessageContaining("JWT_PUBLIC_KEY is not a public key in PEM")
        .hasMessageNotContaining("honey");
    assertThatThrownBy(
            () -> read(rsa("-----BEGIN PUBLIC KEY-----\nhoney\n-----END PUBLIC KEY-----")))
        .hasMessageContaining("JWT_PUBLIC_KEY is not a public key in PEM");
    String ed = pem(key("Ed25519", null));
    assertThatThrownBy(() -> read(rsa(ed)))
        .hasMessageContaining(
            "JWT_ALGORITHM is RS256, but JWT_PUBLIC_KEY is a key of another kind");
    String weak = pem(key("RSA", new RSAKeyGenParameterSpec(1024, BigInteger.valueOf(65_537))));
    assertThatThrownBy(() -> read(rsa(weak))).hasMessageContaining("at least 2048 bits");
    String other = pem(key("EC", new ECGenParameterSpec("secp384r1")));
    assertThatThrownBy(() -> read(rsa(other))).hasMessageContaining("P-256");
  }

  @Test
  void read_takesKeysOnOneLine() throws GeneralSecurityException {
    PublicKey key = key("EC", new ECGenParameterSpec("secp256r1"));
    Map<String, String> environment =
        Map.of(
            "JWT_ENABLED",
            "true",
            "JWT_ALGORITHM",
            "ES256",
            "JWT_PUBLIC_KEY",
            pem(key).replace("\n", "\\n"));

    assertThat(read(environment).publicKey()).contains(key);
  }

  @Test
  void read_refusesWhatIsNoWebAddress() {
    assertThatThrownBy(() -> read(Map.of("JWT_JWKS_URL", "file:///etc/passwd")))
        .hasMessage(
            "JWT_JWKS_URL is 'file:///etc/passwd', but must be an https URL, or an http URL of"
                + " this machine");
  }

  private static Map<String, String> rsa(String key) {
    return Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "RS256", "JWT_PUBLIC_KEY", key);
  }

  private static AuthConfig read(Map<String, String> environment) {
    return ServerConfig.read(environment, List.of()).auth();
  }

  private static PublicKey key(String kind, @Nullable AlgorithmParameterSpec spec)
      throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
    if (spec != null) {
      generator.initialize(spec);
    }
    return generator.generateKeyPair().getPublic();
  }

  private static String pem(PublicKey key) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.getEncoded()).replace("\r", "")
        + "\n-----END PUBLIC KEY-----\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://login.example/keys",
        "http://localhost:8080/keys",
        "http://127.0.0.1/keys",
        "http://127.8.9.10/keys",
        "http://[::1]:8080/keys"
      })
  void keys_comeByHttps_orFromThisMachine(String url) {
    assertThat(read(published(url)).jwksUrl()).contains(URI.create(url));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://login.example/keys",
        "http://localhost.example/keys",
        "http://10.0.0.1/keys",
        "http://[2001:db8::1]/keys"
      })
  void keys_doNotComeByHttpFromElsewhere_unlessAllowed(String url) {
    Map<String, String> environment = new HashMap<>(published(url));
    assertThatThrownBy(() -> read(environment))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("JWT_JWKS_URL is an http URL of ")
        .hasMessageContaining("use https, or set JWT_JWKS_ALLOW_HTTP to true");
    environment.put("JWT_JWKS_ALLOW_HTTP", "true");
    assertThat(read(environment).jwksUrl()).contains(URI.create(url));
    // Without tokens the keys are not fetched.
    assertThat(read(Map.of("JWT_JWKS_URL", url)).enabled()).isFalse();
  }

  private static Map<String, String> published(String url) {
    return Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "auto", "JWT_JWKS_URL", url);
  }
}
