package dev.queenmq.server.config;

import dev.queenmq.server.config.catalogue.AuthSettings;
import dev.queenmq.server.config.catalogue.PemPublicKey;
import dev.queenmq.server.config.values.AddressBlock;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.TokenAlgorithm;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads who may do what. A broker that is to check tokens and has nothing to check them with does
 * not start. No mistake repeats a key.
 */
final class AuthReader {
  private final ConfigReader reader;
  private final List<String> mistakes;

  AuthReader(ConfigReader reader, List<String> mistakes) {
    this.reader = reader;
    this.mistakes = mistakes;
  }

  AuthConfig read() {
    boolean enabled = reader.value(AuthSettings.JWT_ENABLED);
    Optional<TokenAlgorithm> algorithm = reader.value(AuthSettings.JWT_ALGORITHM);
    Optional<Secret> secret = reader.optional(AuthSettings.JWT_SECRET);
    Optional<PublicKey> key = reader.optional(AuthSettings.JWT_PUBLIC_KEY).flatMap(this::publicKey);
    Optional<URI> jwks = reader.optional(AuthSettings.JWT_JWKS_URL);
    boolean allowHttp = reader.value(AuthSettings.JWT_JWKS_ALLOW_HTTP);
    if (enabled) {
      jwks.filter(url -> !allowHttp && !isSafe(url)).ifPresent(this::refuse);
      boolean keyGiven = reader.optional(AuthSettings.JWT_PUBLIC_KEY).isPresent();
      check(algorithm, secret, key, keyGiven || jwks.isPresent());
    }
    return new AuthConfig(
        enabled,
        algorithm,
        secret,
        key,
        jwks,
        reader.optional(AuthSettings.JWT_ISSUER),
        reader.optional(AuthSettings.JWT_AUDIENCE),
        Duration.ofSeconds(reader.value(AuthSettings.JWT_CLOCK_SKEW)),
        reader.value(AuthSettings.JWT_REQUIRE_EXP),
        skipPaths(),
        Duration.ofSeconds(reader.value(AuthSettings.JWT_JWKS_REFRESH_INTERVAL)),
        reader.value(AuthSettings.JWT_JWKS_TIMEOUT_MS),
        new AuthConfig.Roles(
            reader.value(AuthSettings.JWT_ROLES_CLAIM),
            reader.value(AuthSettings.JWT_ROLES_ARRAY_CLAIM),
            reader.value(AuthSettings.JWT_ROLE_ADMIN),
            reader.value(AuthSettings.JWT_ROLE_READ_WRITE),
            reader.value(AuthSettings.JWT_ROLE_READ_ONLY),
            reader.value(AuthSettings.JWT_ROLE_PRODUCE_ONLY),
            reader.value(AuthSettings.JWT_ROLE_CONSUME_ONLY)),
        reader.value(AuthSettings.JWT_QUEUES_CLAIM),
        reader.value(AuthSettings.JWT_NAMESPACES_CLAIM),
        reader.value(AuthSettings.JWT_TASKS_CLAIM),
        reader.value(AuthSettings.QUEEN_METRICS_REQUIRE_TOKEN),
        reader.optional(AuthSettings.QUEEN_AUDIT_FILE));
  }

  /** Keys that come by plain text may be anyone's, unless they never leave the machine. */
  private static boolean isSafe(URI url) {
    if ("https".equalsIgnoreCase(url.getScheme())) {
      return true;
    }
    String host = url.getHost().replace("[", "").replace("]", "");
    return host.equalsIgnoreCase("localhost")
        || AddressBlock.address(host).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private void refuse(URI url) {
    mistakes.add(
        "JWT_JWKS_URL is an http URL of %s: anyone on the way could publish keys of their own and sign tokens with them; use https, or set JWT_JWKS_ALLOW_HTTP to true"
            .formatted(url.getHost()));
  }

  /** The pages with metrics are among the defaults; who wants a token for them, gets it. */
  private List<String> skipPaths() {
    boolean metrics = !reader.value(AuthSettings.QUEEN_METRICS_REQUIRE_TOKEN);
    return Arrays.stream(reader.value(AuthSettings.JWT_SKIP_PATHS).split(",", -1))
        .map(String::strip)
        .filter(path -> !path.isEmpty())
        .filter(path -> metrics || !path.startsWith("/metrics"))
        .toList();
  }

  private Optional<PublicKey> publicKey(Secret pem) {
    @Nullable PublicKey key = PemPublicKey.parse(pem.value());
    if (key == null) {
      mistakes.add(
          "JWT_PUBLIC_KEY is not a public key in PEM, which begins with -----BEGIN PUBLIC"
              + " KEY-----");
      return Optional.empty();
    }
    if (TokenAlgorithm.familyOf(key).isEmpty()) {
      mistakes.add(
          "JWT_PUBLIC_KEY must be an RSA key of at least 2048 bits, or one on the curve P-256 or"
              + " Ed25519");
    }
    return Optional.of(key);
  }

  private void check(
      Optional<TokenAlgorithm> algorithm,
      Optional<Secret> secret,
      Optional<PublicKey> key,
      boolean publicGiven) {
    if (algorithm.isEmpty()) {
      if (secret.isEmpty() && !publicGiven) {
        mistakes.add(
            "JWT_ENABLED is true, but there is nothing to check tokens with: set JWT_SECRET,"
                + " JWT_PUBLIC_KEY or JWT_JWKS_URL");
      }
      secret.ifPresent(given -> checkLength(given, TokenAlgorithm.HS256));
      return;
    }
    TokenAlgorithm only = algorithm.get();
    if (only.family() == TokenAlgorithm.Family.SECRET) {
      if (secret.isEmpty()) {
        mistakes.add(
            "JWT_ENABLED is true and JWT_ALGORITHM is %s, but JWT_SECRET is missing; make one with: openssl rand -hex %d"
                .formatted(only.label(), only.leastSecretBytes()));
      }
      secret.ifPresent(given -> checkLength(given, only));
    } else if (!publicGiven) {
      mistakes.add(
          "JWT_ENABLED is true and JWT_ALGORITHM is %s, but neither JWT_PUBLIC_KEY nor JWT_JWKS_URL is set"
              .formatted(only.label()));
    } else {
      key.flatMap(TokenAlgorithm::familyOf)
          .filter(family -> family != only.family())
          .ifPresent(
              family ->
                  mistakes.add(
                      "JWT_ALGORITHM is %s, but JWT_PUBLIC_KEY is a key of another kind (%s)"
                          .formatted(only.label(), family)));
    }
  }

  private void checkLength(Secret secret, TokenAlgorithm algorithm) {
    int bytes = secret.value().getBytes(StandardCharsets.UTF_8).length;
    if (bytes < algorithm.leastSecretBytes()) {
      mistakes.add(
          "JWT_SECRET has %d bytes, but %s needs at least %d; make one with: openssl rand -hex %d"
              .formatted(
                  bytes,
                  algorithm.label(),
                  algorithm.leastSecretBytes(),
                  algorithm.leastSecretBytes()));
    }
  }
}
