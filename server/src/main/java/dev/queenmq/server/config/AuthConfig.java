package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;
import static dev.queenmq.server.config.Setting.path;
import static dev.queenmq.server.config.Setting.text;

import dev.queenmq.server.config.values.AddressBlock;
import dev.queenmq.server.config.values.PemPublicKey;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.TokenAlgorithm;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what.
 *
 * @param enabled whether callers must show a token; the rest of the tokens' settings counts only
 *     then
 * @param algorithm that tokens must be signed with; empty: any for which there is a key
 * @param publicKey wins over {@code jwksUrl}
 * @param requireExpiry whether a token must say when it ends
 * @param skipPaths paths that need no token; one that ends with a slash stands for all below it
 * @param queuesClaim the claim that limits a token to some queues
 * @param namespacesClaim the claim with the namespaces that a limited token may give to its queues
 * @param tasksClaim the same for tasks
 * @param metricsNeedToken whether the pages with metrics ask for a token
 * @param auditFile where lines about administrative actions go besides the log
 */
public record AuthConfig(
    boolean enabled,
    Optional<TokenAlgorithm> algorithm,
    Optional<Secret> secret,
    Optional<PublicKey> publicKey,
    Optional<URI> jwksUrl,
    Optional<String> issuer,
    Optional<String> audience,
    Duration clockSkew,
    boolean requireExpiry,
    List<String> skipPaths,
    Duration jwksRefresh,
    Duration jwksTimeout,
    Roles roles,
    String queuesClaim,
    String namespacesClaim,
    String tasksClaim,
    boolean metricsNeedToken,
    Optional<Path> auditFile) {
  private static final String AUTO = "auto";

  static final Setting<Boolean> JWT_ENABLED =
      flag(
          "JWT_ENABLED",
          false,
          "Whether callers must show a token (a JWT) on every path below `/api`, `/internal` and"
              + " `/streams`.");
  static final Setting<Optional<TokenAlgorithm>> JWT_ALGORITHM =
      new Setting<>(
          "JWT_ALGORITHM",
          TokenAlgorithm.HS256.label(),
          "one of "
              + Arrays.stream(TokenAlgorithm.values())
                  .map(TokenAlgorithm::label)
                  .collect(Collectors.joining(", "))
              + ", "
              + AUTO,
          "How tokens must be signed; `auto`: in any of these ways for which there is a key.",
          AuthConfig::algorithm);
  static final Setting<Secret> JWT_SECRET =
      Setting.secret(
          "JWT_SECRET",
          "",
          "Secret of HS256 (at least 32 bytes), HS384 (48) and HS512 (64). Make one with: `openssl"
              + " rand -hex 32`.");
  static final Setting<Secret> JWT_PUBLIC_KEY =
      Setting.secret(
          "JWT_PUBLIC_KEY",
          "",
          "Public key of RS256 to RS512, ES256 or EdDSA, in PEM; `\\n` may stand for line breaks."
              + " Wins over `JWT_JWKS_URL`.");
  static final Setting<URI> JWT_JWKS_URL =
      new Setting<>(
          "JWT_JWKS_URL",
          "",
          "an https URL, or an http URL of this machine",
          "Where the public keys are published (a JWK set); fetched in the background.",
          AuthConfig::url);
  static final Setting<Boolean> JWT_JWKS_ALLOW_HTTP =
      flag(
          "JWT_JWKS_ALLOW_HTTP",
          false,
          "With `true`, `JWT_JWKS_URL` may be an http URL of another machine. An attacker who"
              + " can change its answers controls who gets in.");
  static final Setting<String> JWT_ISSUER =
      text("JWT_ISSUER", "", "`iss` that tokens must have. Absent: any.");
  static final Setting<String> JWT_AUDIENCE =
      text("JWT_AUDIENCE", "", "One of the `aud` that tokens must have. Absent: any.");
  static final Setting<Integer> JWT_CLOCK_SKEW =
      number(
          "JWT_CLOCK_SKEW",
          30,
          0,
          3_600,
          "Seconds by which the clocks of token issuers may differ.");
  static final Setting<Boolean> JWT_REQUIRE_EXP =
      flag(
          "JWT_REQUIRE_EXP",
          true,
          "With `false`, tokens that never end (without `exp`) are taken too.");
  static final Setting<String> JWT_SKIP_PATHS =
      text(
          "JWT_SKIP_PATHS",
          "/health,/metrics/prometheus,/metrics,/",
          "Paths that need no token, separated by commas. One that ends with a slash stands for all"
              + " paths below it, except `/` itself.");
  static final Setting<Integer> JWT_JWKS_REFRESH_INTERVAL =
      number(
          "JWT_JWKS_REFRESH_INTERVAL",
          3_600,
          10,
          86_400,
          "Seconds after which the published keys are fetched again.");
  static final Setting<Duration> JWT_JWKS_TIMEOUT_MS =
      millis("JWT_JWKS_TIMEOUT_MS", 5_000, 100, 60_000, "Limit of one fetch, in milliseconds.");
  static final Setting<String> JWT_ROLES_CLAIM =
      text("JWT_ROLES_CLAIM", "role", "Claim with one role.");
  static final Setting<String> JWT_ROLES_ARRAY_CLAIM =
      text("JWT_ROLES_ARRAY_CLAIM", "roles", "Claim with an array of roles.");
  static final Setting<String> JWT_ROLE_ADMIN =
      text("JWT_ROLE_ADMIN", "admin", "Name of the role that may do everything.");
  static final Setting<String> JWT_ROLE_READ_WRITE =
      text(
          "JWT_ROLE_READ_WRITE",
          "read-write",
          "Name of the role that may use queues and look at everything.");
  static final Setting<String> JWT_ROLE_READ_ONLY =
      text("JWT_ROLE_READ_ONLY", "read-only", "Name of the role that may only look.");
  static final Setting<String> JWT_ROLE_PRODUCE_ONLY =
      text("JWT_ROLE_PRODUCE_ONLY", "produce-only", "Name of the role that may only push.");
  static final Setting<String> JWT_ROLE_CONSUME_ONLY =
      text(
          "JWT_ROLE_CONSUME_ONLY",
          "consume-only",
          "Name of the role that may only pop, acknowledge and extend leases.");
  static final Setting<String> JWT_QUEUES_CLAIM =
      text(
          "JWT_QUEUES_CLAIM",
          "queues",
          "Claim with an array of the queues that the token is good for; `name*` stands for all"
              + " that begin so. A token without it is good for all.");
  static final Setting<String> JWT_NAMESPACES_CLAIM =
      text(
          "JWT_NAMESPACES_CLAIM",
          "namespaces",
          "Claim with an array of the namespaces that a token which is limited to queues may give"
              + " to them; `name*` stands for all that begin so. Without it such a token may not"
              + " change namespaces.");
  static final Setting<String> JWT_TASKS_CLAIM =
      text(
          "JWT_TASKS_CLAIM",
          "tasks",
          "Claim with an array of tasks, as `JWT_NAMESPACES_CLAIM` for namespaces. A limited token"
              + " may change priorities if it has one of these claims.");
  static final Setting<Boolean> QUEEN_METRICS_REQUIRE_TOKEN =
      flag(
          "QUEEN_METRICS_REQUIRE_TOKEN",
          false,
          "Whether `/metrics` and `/metrics/prometheus` need a token that may look at all queues."
              + " Counts only with `JWT_ENABLED`.");
  static final Setting<Path> QUEEN_AUDIT_FILE =
      path(
          "QUEEN_AUDIT_FILE",
          "",
          "File to which lines about administrative actions are appended, besides the log.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "Tokens and audit",
          List.of(
              JWT_ENABLED,
              JWT_ALGORITHM,
              JWT_SECRET,
              JWT_PUBLIC_KEY,
              JWT_JWKS_URL,
              JWT_JWKS_ALLOW_HTTP,
              JWT_JWKS_REFRESH_INTERVAL,
              JWT_JWKS_TIMEOUT_MS,
              JWT_ISSUER,
              JWT_AUDIENCE,
              JWT_CLOCK_SKEW,
              JWT_REQUIRE_EXP,
              JWT_SKIP_PATHS,
              JWT_ROLES_CLAIM,
              JWT_ROLES_ARRAY_CLAIM,
              JWT_ROLE_ADMIN,
              JWT_ROLE_READ_WRITE,
              JWT_ROLE_READ_ONLY,
              JWT_ROLE_PRODUCE_ONLY,
              JWT_ROLE_CONSUME_ONLY,
              JWT_QUEUES_CLAIM,
              JWT_NAMESPACES_CLAIM,
              JWT_TASKS_CLAIM,
              QUEEN_METRICS_REQUIRE_TOKEN,
              QUEEN_AUDIT_FILE));

  /**
   * A broker that is to check tokens and has nothing to check them with does not start. No mistake
   * repeats a key.
   */
  static AuthConfig read(SettingsReader reader) {
    boolean enabled = reader.value(JWT_ENABLED);
    Optional<TokenAlgorithm> algorithm = reader.value(JWT_ALGORITHM);
    Optional<Secret> secret = reader.optional(JWT_SECRET);
    Optional<PublicKey> key =
        reader.optional(JWT_PUBLIC_KEY).flatMap(pem -> publicKey(reader, pem));
    Optional<URI> jwks = reader.optional(JWT_JWKS_URL);
    boolean allowHttp = reader.value(JWT_JWKS_ALLOW_HTTP);
    if (enabled) {
      jwks.filter(url -> !allowHttp && !isSafe(url)).ifPresent(url -> refuse(reader, url));
      boolean keyGiven = reader.optional(JWT_PUBLIC_KEY).isPresent();
      check(reader, algorithm, secret, key, keyGiven || jwks.isPresent());
    }
    return new AuthConfig(
        enabled,
        algorithm,
        secret,
        key,
        jwks,
        reader.optional(JWT_ISSUER),
        reader.optional(JWT_AUDIENCE),
        Duration.ofSeconds(reader.value(JWT_CLOCK_SKEW)),
        reader.value(JWT_REQUIRE_EXP),
        skipPaths(reader),
        Duration.ofSeconds(reader.value(JWT_JWKS_REFRESH_INTERVAL)),
        reader.value(JWT_JWKS_TIMEOUT_MS),
        new Roles(
            reader.value(JWT_ROLES_CLAIM),
            reader.value(JWT_ROLES_ARRAY_CLAIM),
            reader.value(JWT_ROLE_ADMIN),
            reader.value(JWT_ROLE_READ_WRITE),
            reader.value(JWT_ROLE_READ_ONLY),
            reader.value(JWT_ROLE_PRODUCE_ONLY),
            reader.value(JWT_ROLE_CONSUME_ONLY)),
        reader.value(JWT_QUEUES_CLAIM),
        reader.value(JWT_NAMESPACES_CLAIM),
        reader.value(JWT_TASKS_CLAIM),
        reader.value(QUEEN_METRICS_REQUIRE_TOKEN),
        reader.optional(QUEEN_AUDIT_FILE));
  }

  /** Keys fetched over plain HTTP can be forged, except on the loopback interface. */
  private static boolean isSafe(URI url) {
    if ("https".equalsIgnoreCase(url.getScheme())) {
      return true;
    }
    String host = url.getHost().replace("[", "").replace("]", "");
    return host.equalsIgnoreCase("localhost")
        || AddressBlock.address(host).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static void refuse(SettingsReader reader, URI url) {
    reader.mistake(
        "JWT_JWKS_URL is an http URL of %s: anyone on the way could publish keys of their own and sign tokens with them; use https, or set JWT_JWKS_ALLOW_HTTP to true"
            .formatted(url.getHost()));
  }

  /** The metrics pages are among the defaults, and are left out if they need a token. */
  private static List<String> skipPaths(SettingsReader reader) {
    boolean metrics = !reader.value(QUEEN_METRICS_REQUIRE_TOKEN);
    return Arrays.stream(reader.value(JWT_SKIP_PATHS).split(",", -1))
        .map(String::strip)
        .filter(path -> !path.isEmpty())
        .filter(path -> metrics || !path.startsWith("/metrics"))
        .toList();
  }

  private static Optional<PublicKey> publicKey(SettingsReader reader, Secret pem) {
    @Nullable PublicKey key = PemPublicKey.parse(pem.value());
    if (key == null) {
      reader.mistake(
          "JWT_PUBLIC_KEY is not a public key in PEM, which begins with -----BEGIN PUBLIC"
              + " KEY-----");
      return Optional.empty();
    }
    if (TokenAlgorithm.familyOf(key).isEmpty()) {
      reader.mistake(
          "JWT_PUBLIC_KEY must be an RSA key of at least 2048 bits, or one on the curve P-256 or"
              + " Ed25519");
    }
    return Optional.of(key);
  }

  private static void check(
      SettingsReader reader,
      Optional<TokenAlgorithm> algorithm,
      Optional<Secret> secret,
      Optional<PublicKey> key,
      boolean publicGiven) {
    if (algorithm.isEmpty()) {
      if (secret.isEmpty() && !publicGiven) {
        reader.mistake(
            "JWT_ENABLED is true, but there is nothing to check tokens with: set JWT_SECRET,"
                + " JWT_PUBLIC_KEY or JWT_JWKS_URL");
      }
      secret.ifPresent(given -> checkLength(reader, given, TokenAlgorithm.HS256));
      return;
    }
    TokenAlgorithm only = algorithm.get();
    if (only.family() == TokenAlgorithm.Family.SECRET) {
      if (secret.isEmpty()) {
        reader.mistake(
            "JWT_ENABLED is true and JWT_ALGORITHM is %s, but JWT_SECRET is missing; make one with: openssl rand -hex %d"
                .formatted(only.label(), only.leastSecretBytes()));
      }
      secret.ifPresent(given -> checkLength(reader, given, only));
    } else if (!publicGiven) {
      reader.mistake(
          "JWT_ENABLED is true and JWT_ALGORITHM is %s, but neither JWT_PUBLIC_KEY nor JWT_JWKS_URL is set"
              .formatted(only.label()));
    } else {
      key.flatMap(TokenAlgorithm::familyOf)
          .filter(family -> family != only.family())
          .ifPresent(
              family ->
                  reader.mistake(
                      "JWT_ALGORITHM is %s, but JWT_PUBLIC_KEY is a key of another kind (%s)"
                          .formatted(only.label(), family)));
    }
  }

  private static void checkLength(SettingsReader reader, Secret secret, TokenAlgorithm algorithm) {
    int bytes = secret.value().getBytes(StandardCharsets.UTF_8).length;
    if (bytes < algorithm.leastSecretBytes()) {
      reader.mistake(
          "JWT_SECRET has %d bytes, but %s needs at least %d; make one with: openssl rand -hex %d"
              .formatted(
                  bytes,
                  algorithm.label(),
                  algorithm.leastSecretBytes(),
                  algorithm.leastSecretBytes()));
    }
  }

  private static Optional<TokenAlgorithm> algorithm(String text) {
    if (text.equalsIgnoreCase(AUTO)) {
      return Optional.empty();
    }
    return Optional.of(
        Arrays.stream(TokenAlgorithm.values())
            .filter(each -> each.label().equalsIgnoreCase(text))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("not a choice")));
  }

  private static URI url(String text) {
    URI url = URI.create(text);
    boolean web =
        "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
    if (!web || url.getHost() == null) {
      throw new IllegalArgumentException("not an http or https URL");
    }
    return url;
  }

  /** Copies the list. */
  public AuthConfig {
    skipPaths = List.copyOf(skipPaths);
  }

  /**
   * Where tokens name roles, and how.
   *
   * @param claim of one role
   * @param arrayClaim of several
   */
  public record Roles(
      String claim,
      String arrayClaim,
      String admin,
      String readWrite,
      String readOnly,
      String produceOnly,
      String consumeOnly) {}

  /** The defaults, for tools and tests that read no environment: no tokens. */
  public static AuthConfig defaults() {
    return read(SettingsReader.defaults());
  }
}
