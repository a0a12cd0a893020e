package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.flag;
import static dev.queenmq.server.config.catalogue.SettingKinds.secret;

import dev.queenmq.server.config.values.Secret;
import java.util.List;

/** The part of the catalogue that is about payloads at rest. */
public final class EncryptionSettings {

  public static final Setting<Secret> QUEEN_ENCRYPTION_KEY =
      secret(
          "QUEEN_ENCRYPTION_KEY",
          "",
          "Key that the payloads of queues with `encryptionEnabled` are stored under: 64"
              + " hexadecimal characters, the same for all brokers, as `openssl rand -hex 32` makes"
              + " them.");
  public static final Setting<Secret> QUEEN_ENCRYPTION_KEY_PREVIOUS =
      secret(
          "QUEEN_ENCRYPTION_KEY_PREVIOUS",
          "",
          "Key that was used before: what was stored under it can still be read, and nothing new is"
              + " stored under it.");
  public static final Setting<Boolean> QUEEN_ENCRYPTION_ALLOW_PLAINTEXT =
      flag(
          "QUEEN_ENCRYPTION_ALLOW_PLAINTEXT",
          false,
          "With `true`, a broker without a key stores the payloads of such queues as they are, and"
              + " plain payloads in such queues are delivered. With `false`, both are refused.");

  static final Settings.Group GROUP =
      new Settings.Group(
          "Encryption",
          List.of(
              QUEEN_ENCRYPTION_KEY,
              QUEEN_ENCRYPTION_KEY_PREVIOUS,
              QUEEN_ENCRYPTION_ALLOW_PLAINTEXT));

  private EncryptionSettings() {}
}
