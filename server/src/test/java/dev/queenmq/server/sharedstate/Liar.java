package dev.queenmq.server.sharedstate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Puts wrong things into what a broker remembers, through its public methods: as if another broker,
 * a ghost, had said them. Whatever the broker still gets right, it gets right without its memory.
 */
public final class Liar {
  private static final String GHOST = "ghost";
  private static final Duration LEASE = Duration.ofHours(1);

  private final SharedState victim;

  /** Lies to one broker. */
  public Liar(SharedState victim) {
    this.victim = victim;
    says(new SyncMessage.Heartbeat(0, false, new SyncMessage.PresencePart(1, 0, 1, List.of())));
  }

  /** A partition's id is another one. */
  public void wrongId(String queue, String partition) {
    victim.partitionIds().put(queue, partition, UUID.randomUUID());
  }

  /** Partitions are leased by the ghost, which lives as long as this is said. */
  public void leased(String queue, String group, List<UUID> partitionIds) {
    says(new SyncMessage.Heartbeat(0, false, new SyncMessage.PresencePart(1, 0, 1, List.of())));
    says(
        new SyncMessage.LeaseHintAcquired(queue, group, LeaseHints.ttlMillis(LEASE), partitionIds));
  }

  /** A queue is gone. */
  public void gone(String queue) {
    says(new SyncMessage.QueueConfigDelete(queue, OptionalLong.empty()));
  }

  /** Partitions that do not exist got messages. */
  public void nothingThere(String queue) {
    says(
        new SyncMessage.MessageAvailable(
            queue, List.of(new PartitionRef("nowhere", Optional.of(UUID.randomUUID())))));
  }

  private void says(SyncMessage message) {
    SyncMessageCodec.encode(message)
        .forEach(payload -> victim.receive(GHOST, "boo", message.type(), payload));
  }
}
