package dev.queenmq.server.config;

import dev.queenmq.server.config.values.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that payloads of encrypted queues are sealed with.
 *
 * @param key 64 hexadecimal characters; seals and opens
 * @param previousKey likewise; only opens
 * @param allowPlaintext whether a broker without a key stores such payloads as they are
 */
public record EncryptionConfig(
    Optional<Secret> key, Optional<Secret> previousKey, boolean allowPlaintext) {

  /** The defaults, for tools and tests that read no environment: no key. */
  public static EncryptionConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).encryption();
  }
}
