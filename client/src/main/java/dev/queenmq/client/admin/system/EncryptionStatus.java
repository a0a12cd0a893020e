package dev.queenmq.client.admin.system;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * With which keys payloads are encrypted.
 *
 * @param keyId of the key that this broker encrypts with; null if it has none
 * @param plaintextAllowed whether it reads payloads that should be encrypted and are not
 * @param keys in use by brokers
 * @param queues with encryption
 * @param resealing how far payloads are encrypted again with the newest key
 */
public record EncryptionStatus(
    @Nullable String keyId,
    boolean plaintextAllowed,
    List<Key> keys,
    Queues queues,
    Resealing resealing) {

  /**
   * A key in use.
   *
   * @param keyId of the key; null for brokers without one
   * @param brokers how many encrypt with it
   */
  public record Key(@Nullable String keyId, long brokers) {}

  /**
   * Queues with encryption.
   *
   * @param encrypted how many there are
   * @param unfinished how many of these hold payloads that are not encrypted with the newest key
   */
  public record Queues(long encrypted, long unfinished) {}

  /**
   * How far payloads are encrypted again.
   *
   * @param state in one word; {@code idle} if it never began
   * @param complete whether all are encrypted with this broker's key
   * @param progress from 0 to 1
   * @param keyId of the key that they get
   * @param startedAt when it began
   * @param endedAt when it ended
   * @param messages encrypted again
   * @param deadLetters encrypted again
   * @param leftOver payloads that could not be decrypted
   */
  public record Resealing(
      String state,
      boolean complete,
      double progress,
      @Nullable String keyId,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      long messages,
      long deadLetters,
      long leftOver) {}
}
