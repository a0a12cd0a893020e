package dev.queenmq.server.broker;

import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.PauseOutcome;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.UUID;

/**
 * What operators do to messages and partitions. Wakes waiting polls, here and at other brokers.
 * Otherwise like {@link Broker}.
 */
public interface Operator {

  /** Deletes a message for all groups, and its dead letters. */
  Future<MessageOutcome> deleteMessage(MessageKey message);

  /** Moves a message to the dead letters of a group. */
  Future<MessageOutcome> deadLetter(DeadLettering deadLettering);

  /** Makes dead letters messages of their groups again (redrive). */
  Future<RedriveOutcome> redrive(Redrive redrive);

  /** Removes dead letters for good. */
  Future<RemovalOutcome> purge(DeadLetterSelection selection);

  /** Removes all messages of a queue, or of one of its partitions. */
  Future<RemovalOutcome> clear(String queue, Optional<String> partition);

  /** Deletes a partition with all that is in it. */
  Future<PartitionDeletion> deletePartition(String queue, String partition);

  /**
   * Ends a lease as if its time were over; answers on how many partitions. Zero: there is no such
   * lease, or it is over.
   */
  Future<Integer> endLease(UUID leaseId);

  /** Pauses pops, or lets them go on. */
  Future<PauseOutcome> pause(PopPause pause);
}
