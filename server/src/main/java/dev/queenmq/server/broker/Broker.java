package dev.queenmq.server.broker;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import io.vertx.core.Future;
import java.util.List;

/**
 * What a broker does, as the HTTP routes call it. Nothing blocks. Answers come in the order of the
 * requests of one call; a call that could not be carried out fails with a {@link BrokerException}
 * whose text may be shown.
 *
 * <p>May be called from any thread; a caller on an event loop is answered on it.
 */
public interface Broker {

  /**
   * Appends messages, in their order within each partition, and wakes the polls that wait for them.
   */
  Future<List<PushOutcome>> push(List<Message> messages);

  /** Asks for messages. What cannot be had at once is waited for, without a thread. */
  Poll pop(PollRequest request);

  /** Takes acks. */
  Future<List<AckOutcome>> ack(List<Ack> acks);

  /** Does all of it or nothing. */
  Future<TransactionOutcome> transaction(Transaction transaction);

  /** Extends a lease. */
  Future<RenewOutcome> renew(Renewal renewal);

  /** Creates a queue or changes its options. */
  Future<ConfigureOutcome> configure(QueueConfiguration configuration);

  /** Deletes a queue with all that is in it. */
  Future<DeleteOutcome> deleteQueue(String queue);

  /** Moves a group, and wakes its waiting polls. */
  Future<SeekOutcome> seek(Seek seek);

  /** Deletes the position of a group; its waiting polls subscribe again. */
  Future<GroupOutcome> deleteGroup(GroupDeletion deletion);

  /** Changes where a group starts on partitions that it has not read. */
  Future<GroupOutcome> moveSubscription(SubscriptionMove move);

  /** Returns messages that were leased for a client which has gone. */
  void release(Polled undelivered);
}
