package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One step of a sequence that the store and the model both take. Partitions and leases are named by
 * the model's ids, so that a step means the same when steps before it are left out.
 */
sealed interface Step {

  record Push(int broker, List<Message> messages) implements Step {}

  /**
   * A poll waits for what is pushed to a partition. It gets it with the push or by a pop right
   * after it: that must not make a difference.
   *
   * @param number as that of a pop
   */
  record PushToPoll(int broker, int number, List<Message> messages, PopRequest poll)
      implements Step {}

  /**
   * Consumers ask.
   *
   * @param number unlike that of any other pop of the sequence: the leases are named by it
   */
  record Pop(int broker, int number, List<PopRequest> requests) implements Step {}

  record Acks(int broker, List<Ack> acks) implements Step {}

  record Transact(int broker, Transaction transaction) implements Step {}

  record Renew(int broker, List<Renewal> renewals) implements Step {}

  record EndLease(int broker, UUID leaseId) implements Step {}

  record Pause(int broker, PopPause pause) implements Step {}

  record Move(int broker, Seek seek) implements Step {}

  record Configure(int broker, List<QueueConfiguration> configurations) implements Step {}

  record Delete(int broker, List<String> queues) implements Step {}

  record DeleteMessage(int broker, MessageKey message) implements Step {}

  record DeadLetter(int broker, DeadLettering deadLettering) implements Step {}

  /**
   * Dead letters are given back.
   *
   * @param number unlike that of any other step of the sequence: the messages are named by it
   */
  record GiveBack(int broker, int number, Redrive redrive) implements Step {}

  record Purge(int broker, DeadLetterSelection selection) implements Step {}

  record Clear(int broker, String queue, Optional<String> partition) implements Step {}

  record DeletePartition(int broker, String queue, String partition) implements Step {}

  record DeleteGroup(int broker, GroupDeletion deletion) implements Step {}

  record MoveSubscription(int broker, SubscriptionMove move) implements Step {}

  record Drop(int broker, UUID partitionId, Instant before, long below, int segments)
      implements Step {}

  /**
   * Groups lose what they have left waiting for too long.
   *
   * @param partitions that are looked at in one call
   * @param limit of dead letters, or of segments, in one call
   */
  record Evict(int broker, String queue, int partitions, int limit) implements Step {}

  /** Time goes by; backwards, if the clock is corrected. */
  record Pass(Duration time) implements Step {}
}
