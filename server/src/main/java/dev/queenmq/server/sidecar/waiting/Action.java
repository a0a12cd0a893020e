package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.memory.HeldMemory;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.PopRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the waiting room wants to be done. */
public sealed interface Action {

  /** Ask the store for messages, one answer for each request. */
  record Pop(Question question, List<PopRequest> requests) implements Action {}

  /** Read a page of a queue's partitions. */
  record ReadPage(Question question, String queue, String group, Optional<String> after)
      implements Action {}

  /** Look at the tail; the look has to begin from now on. */
  record Look() implements Action {}

  /** A poll gets messages, and has to release the memory that they take. */
  record Deliver(Waiter waiter, List<PartitionBatch> batches, HeldMemory memory)
      implements Action {}

  /** A poll goes without messages. */
  record Dismiss(Waiter waiter, EmptyReason why) implements Action {}

  /** The client of a poll has gone. */
  record Drop(Waiter waiter) implements Action {}

  /** A poll cannot be served. */
  record Refuse(Waiter waiter, String problem) implements Action {}

  /** Messages of a poll whose client has gone are returned. */
  record GiveBack(String group, List<PartitionBatch> batches, HeldMemory memory)
      implements Action {}

  /** Other brokers need not try these partitions for this long. */
  record AnnounceLeases(String queue, String group, List<UUID> partitionIds, Duration lease)
      implements Action {}

  /** A lease was refused: a hint that said so was right. */
  record NoteRefused(UUID partitionId, String group) implements Action {}

  /** The id of a partition is known now. */
  record NoteMet(String queue, String partition, UUID partitionId) implements Action {}

  /** A partition is not there under the id that was remembered. */
  record NoteMissing(String queue, String partition) implements Action {}

  /** A poll waits for messages of a queue. */
  record AnnounceWaiting(String queue) implements Action {}

  /** A poll waits no more. */
  record AnnounceGone(String queue) implements Action {}
}
