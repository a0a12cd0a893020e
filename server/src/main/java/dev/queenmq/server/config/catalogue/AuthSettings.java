package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.flag;
import static dev.queenmq.server.config.catalogue.SettingKinds.millis;
import static dev.queenmq.server.config.catalogue.SettingKinds.number;
import static dev.queenmq.server.config.catalogue.SettingKinds.path;
import static dev.queenmq.server.config.catalogue.SettingKinds.secret;
import static dev.queenmq.server.config.catalogue.SettingKinds.text;

import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.TokenAlgorithm;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The part of the catalogue that is about who may do what. */
public final class AuthSettings {
  private static final String AUTO = "auto";

  public static final Setting<Boolean> JWT_ENABLED =
      flag(
          "JWT_ENABLED",
          false,
          "Whether callers must show a token (a JWT) on every path below `/api`, `/internal` and"
              + " `/streams`.");
  public static final Setting<Optional<TokenAlgorithm>> JWT_ALGORITHM =
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
          AuthSettings::algorithm);
  public static final Setting<Secret> JWT_SECRET =
      secret(
          "JWT_SECRET",
          "",
          "Secret of HS256 (at least 32 bytes), HS384 (48) and HS512 (64). Make one with: `openssl"
              + " rand -hex 32`.");
  public static final Setting<Secret> JWT_PUBLIC_KEY =
      secret(
          "JWT_PUBLIC_KEY",
          "",
          "Public key of RS256 to RS512, ES256 or EdDSA, in PEM; `\\n` may stand for line breaks."
              + " Wins over `JWT_JWKS_URL`.");
  public static final Setting<URI> JWT_JWKS_URL =
      new Setting<>(
          "JWT_JWKS_URL",
          "",
          "an https URL, or an http URL of this machine",
          "Where the public keys are published (a JWK set); fetched in the background.",
          AuthSettings::url);
  public static final Setting<Boolean> JWT_JWKS_ALLOW_HTTP =
      flag(
          "JWT_JWKS_ALLOW_HTTP",
          false,
          "With `true`, `JWT_JWKS_URL` may be an http URL of another machine. An attacker who"
              + " can change its answers controls who gets in.");
  public static final Setting<String> JWT_ISSUER =
      text("JWT_ISSUER", "", "`iss` that tokens must have. Absent: any.");
  public static final Setting<String> JWT_AUDIENCE =
      text("JWT_AUDIENCE", "", "One of the `aud` that tokens must have. Absent: any.");
  public static final Setting<Integer> JWT_CLOCK_SKEW =
      number(
          "JWT_CLOCK_SKEW",
          30,
          0,
          3_600,
          "Seconds by which the clocks of token issuers may differ.");
  public static final Setting<Boolean> JWT_REQUIRE_EXP =
      flag(
          "JWT_REQUIRE_EXP",
          true,
          "With `false`, tokens that never end (without `exp`) are taken too.");
  public static final Setting<String> JWT_SKIP_PATHS =
      text(
          "JWT_SKIP_PATHS",
          "/health,/metrics/prometheus,/metrics,/",
          "Paths that need no token, separated by commas. One that ends with a slash stands for all"
              + " paths below it, except `/` itself.");
  public static final Setting<Integer> JWT_JWKS_REFRESH_INTERVAL =
      number(
          "JWT_JWKS_REFRESH_INTERVAL",
          3_600,
          10,
          86_400,
          "Seconds after which the published keys are fetched again.");
  public static final Setting<Duration> JWT_JWKS_TIMEOUT_MS =
      millis("JWT_JWKS_TIMEOUT_MS", 5_000, 100, 60_000, "Limit of one fetch, in milliseconds.");
  public static final Setting<String> JWT_ROLES_CLAIM =
      text("JWT_ROLES_CLAIM", "role", "Claim with one role.");
  public static final Setting<String> JWT_ROLES_ARRAY_CLAIM =
      text("JWT_ROLES_ARRAY_CLAIM", "roles", "Claim with an array of roles.");
  public static final Setting<String> JWT_ROLE_ADMIN =
      text("JWT_ROLE_ADMIN", "admin", "Name of the role that may do everything.");
  public static final Setting<String> JWT_ROLE_READ_WRITE =
      text(
          "JWT_ROLE_READ_WRITE",
          "read-write",
          "Name of the role that may use queues and look at everything.");
  public static final Setting<String> JWT_ROLE_READ_ONLY =
      text("JWT_ROLE_READ_ONLY", "read-only", "Name of the role that may only look.");
  public static final Setting<String> JWT_ROLE_PRODUCE_ONLY =
      text("JWT_ROLE_PRODUCE_ONLY", "produce-only", "Name of the role that may only push.");
  public static final Setting<String> JWT_ROLE_CONSUME_ONLY =
      text(
          "JWT_ROLE_CONSUME_ONLY",
          "consume-only",
          "Name of the role that may only pop, acknowledge and extend leases.");
  public static final Setting<String> JWT_QUEUES_CLAIM =
      text(
          "JWT_QUEUES_CLAIM",
          "queues",
          "Claim with an array of the queues that the token is good for; `name*` stands for all"
              + " that begin so. A token without it is good for all.");
  public static final Setting<String> JWT_NAMESPACES_CLAIM =
      text(
          "JWT_NAMESPACES_CLAIM",
          "namespaces",
          "Claim with an array of the namespaces that a token which is limited to queues may give"
              + " to them; `name*` stands for all that begin so. Without it such a token may not"
              + " change namespaces.");
  public static final Setting<String> JWT_TASKS_CLAIM =
      text(
          "JWT_TASKS_CLAIM",
          "tasks",
          "The same for tasks. A limited token may change priorities if it has one of these"
              + " claims.");
  public static final Setting<Boolean> QUEEN_METRICS_REQUIRE_TOKEN =
      flag(
          "QUEEN_METRICS_REQUIRE_TOKEN",
          false,
          "Whether `/metrics` and `/metrics/prometheus` need a token that may look at all queues."
              + " Counts only with `JWT_ENABLED`.");
  public static final Setting<Path> QUEEN_AUDIT_FILE =
      path(
          "QUEEN_AUDIT_FILE",
          "",
          "File to which lines about administrative actions are appended, besides the log.");

  static final Settings.Group GROUP =
      new Settings.Group(
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

  private AuthSettings() {}

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
}
