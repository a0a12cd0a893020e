package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.secret;

import dev.queenmq.server.config.values.Secret;
import java.util.List;
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
  static final Setting<Secret> QUEEN_ENCRYPTION_KEY =
      secret(
          "QUEEN_ENCRYPTION_KEY",
          "",
          "Key that the payloads of queues with `encryptionEnabled` are stored under: 64"
              + " hexadecimal characters, the same for all brokers, as `openssl rand -hex 32` makes"
              + " them.");
  static final Setting<Secret> QUEEN_ENCRYPTION_KEY_PREVIOUS =
      secret(
          "QUEEN_ENCRYPTION_KEY_PREVIOUS",
          "",
          "Key that was used before: what was stored under it can still be read, and nothing new is"
              + " stored under it.");
  static final Setting<Boolean> QUEEN_ENCRYPTION_ALLOW_PLAINTEXT =
      flag(
          "QUEEN_ENCRYPTION_ALLOW_PLAINTEXT",
          false,
          "With `true`, a broker without a key stores the payloads of queues with"
              + " `encryptionEnabled` as they are, and plain payloads in such queues are delivered. With"
              + " `false`, both are refused.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "Encryption",
          List.of(
              QUEEN_ENCRYPTION_KEY,
              QUEEN_ENCRYPTION_KEY_PREVIOUS,
              QUEEN_ENCRYPTION_ALLOW_PLAINTEXT));

  static EncryptionConfig read(SettingsReader reader) {
    return new EncryptionConfig(
        key(reader, QUEEN_ENCRYPTION_KEY),
        key(reader, QUEEN_ENCRYPTION_KEY_PREVIOUS),
        reader.value(QUEEN_ENCRYPTION_ALLOW_PLAINTEXT));
  }

  private static Optional<Secret> key(SettingsReader reader, Setting<Secret> setting) {
    Optional<Secret> key = reader.optional(setting);
    String wrong = key.map(Secret::faultAsKey).orElse("");
    if (!wrong.isEmpty()) {
      reader.mistake(
          "%s %s, but a key has 64 hexadecimal characters; make one with: openssl rand -hex 32"
              .formatted(setting.name(), wrong));
    }
    return key;
  }

  /** The defaults, for tools and tests that read no environment: no key. */
  public static EncryptionConfig defaults() {
    return read(SettingsReader.defaults());
  }
}
