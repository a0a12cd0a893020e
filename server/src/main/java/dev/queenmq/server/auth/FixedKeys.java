package dev.queenmq.server.auth;

import dev.queenmq.server.config.AuthConfig;
import dev.queenmq.server.config.values.TokenAlgorithm;
import dev.queenmq.server.config.values.TokenAlgorithm.Family;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of the configuration; what they do not cover is asked of published ones. A secret serves
 * HMAC alone, and a public key the algorithm of its kind alone, whatever a token says.
 */
final class FixedKeys implements KeySource {
  private final Optional<SecretKey> secret;
  private final int secretBytes;
  private final Optional<PublicKey> publicKey;
  private final Optional<Family> family;
  private final Optional<KeySource> published;

  FixedKeys(AuthConfig config, Optional<KeySource> published) {
    byte[] bytes =
        config
            .secret()
            .map(given -> given.value().getBytes(StandardCharsets.UTF_8))
            .orElse(new byte[0]);
    secretBytes = bytes.length;
    secret = bytes.length == 0 ? Optional.empty() : Optional.of(new SecretKeySpec(bytes, "HMAC"));
    publicKey = config.publicKey();
    family = publicKey.flatMap(TokenAlgorithm::familyOf);
    this.published = published;
  }

  @Override
  public Found find(TokenAlgorithm algorithm, Optional<String> keyId) {
    if (algorithm.family() == Family.SECRET) {
      return secret.isPresent() && secretBytes >= algorithm.leastSecretBytes()
          ? new Found.Keys(List.of(secret.get()))
          : new Found.UnknownAlgorithm();
    }
    if (publicKey.isPresent()) {
      return family.equals(Optional.of(algorithm.family()))
          ? new Found.Keys(List.of(publicKey.get()))
          : new Found.UnknownAlgorithm();
    }
    return published
        .map(keys -> keys.find(algorithm, keyId))
        .orElseGet(Found.UnknownAlgorithm::new);
  }

  @Override
  public CompletionStage<Void> lookForMore() {
    return published
        .map(KeySource::lookForMore)
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  @Override
  public int generation() {
    return published.map(KeySource::generation).orElse(0);
  }
}
