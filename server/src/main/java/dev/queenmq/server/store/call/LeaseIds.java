package dev.queenmq.server.store.call;

import java.util.UUID;

/**
 * Makes the ids of leases over one partition. Such an id carries the partition in its first 48
 * bits, so that the lease is found by its id alone, and the version digit 8 says so.
 */
public final class LeaseIds {
  private static final long PARTITION_BITS = 0xFFFF_FFFF_FFFF_0000L;
  private static final long ONE_PARTITION = 0x8000L;
  private static final long RANDOM_BITS = 0x0FFFL;

  private LeaseIds() {}

  /** A new one. */
  public static UUID over(UUID partitionId) {
    UUID random = UUID.randomUUID();
    return new UUID(
        (partitionId.getMostSignificantBits() & PARTITION_BITS)
            | ONE_PARTITION
            | (random.getMostSignificantBits() & RANDOM_BITS),
        random.getLeastSignificantBits());
  }
}
