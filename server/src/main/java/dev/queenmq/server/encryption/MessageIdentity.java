package dev.queenmq.server.encryption;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Whose payload it is. A sealed payload can be opened only as that of the message it was sealed
 * for.
 *
 * <p>Names and not ids of queue and partition: permissions are given by name, and a broker knows
 * names before it knows ids, also while PostgreSQL is away.
 */
public record MessageIdentity(String queue, String partition, UUID messageId) {
  private static final byte[] PURPOSE = "queen payload v2".getBytes(StandardCharsets.US_ASCII);

  /** What is authenticated beside the payload. No two places have the same bytes. */
  byte[] bytes() {
    byte[] queueBytes = queue.getBytes(StandardCharsets.UTF_8);
    byte[] partitionBytes = partition.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(
            PURPOSE.length
                + 2 * Integer.BYTES
                + queueBytes.length
                + partitionBytes.length
                + 2 * Long.BYTES)
        .put(PURPOSE)
        .putInt(queueBytes.length)
        .put(queueBytes)
        .putInt(partitionBytes.length)
        .put(partitionBytes)
        .putLong(messageId.getMostSignificantBits())
        .putLong(messageId.getLeastSignificantBits())
        .array();
  }
}
