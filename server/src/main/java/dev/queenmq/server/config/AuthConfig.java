package dev.queenmq.server.config;

import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.TokenAlgorithm;
import java.net.URI;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    return ServerConfig.read(Map.of(), List.of()).auth();
  }
}
