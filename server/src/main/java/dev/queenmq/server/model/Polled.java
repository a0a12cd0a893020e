package dev.queenmq.server.model;

import dev.queenmq.server.memory.HeldMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a poll got.
 *
 * @param group the consumer group that it is for
 * @param batches messages by partition, under one lease; none if there was nothing
 * @param nothing why there was nothing; {@link EmptyReason#NONE} if there was something
 * @param memory that the messages take, to be released once they are delivered or given back
 */
public record Polled(
    String group, List<PartitionBatch> batches, EmptyReason nothing, HeldMemory memory) {

  /** The same without memory that is counted. */
  public Polled(String group, List<PartitionBatch> batches, EmptyReason nothing) {
    this(group, batches, nothing, HeldMemory.NONE);
  }

  /** Why a poll got nothing. */
  public enum EmptyReason {
    /** It got something. */
    NONE,
    /** Waited until its deadline. */
    TIMED_OUT,
    /** No partition of the queue has anything for the group now. */
    NO_AVAILABLE_PARTITION,
    /** There is no such queue or partition. */
    PARTITION_NOT_FOUND,
    /** Another consumer of the group holds the partition. */
    LEASE_HELD,
    /** The partition has nothing for the group now. */
    EMPTY,
    /** The queue's windowBuffer is open. */
    WINDOW_BUFFER,
    /** An operator has paused pops of the queue, or of the group there. */
    PAUSED
  }

  /** How many messages it got. */
  public int size() {
    int messages = 0;
    for (PartitionBatch batch : batches) {
      messages += batch.messages().size();
    }
    return messages;
  }

  /** The acks by which all of it comes again, as if it had not been handed out. */
  public List<Ack> givenBack() {
    List<Ack> acks = new ArrayList<>();
    for (PartitionBatch batch : batches) {
      batch
          .lease()
          .ifPresent(
              lease ->
                  acks.add(
                      new Ack(
                          batch.partitionId(),
                          group,
                          new MessageRef.ByOffset(batch.messages().get(0).offset()),
                          Optional.of(lease.id()),
                          AckStatus.RETRY,
                          Optional.empty())));
    }
    return acks;
  }
}
