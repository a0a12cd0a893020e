package dev.queenmq.server.sidecar;

import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.store.Ack;
import dev.queenmq.server.store.AckOutcome;
import dev.queenmq.server.store.ConfigureOutcome;
import dev.queenmq.server.store.DeleteOutcome;
import dev.queenmq.server.store.GroupDeletion;
import dev.queenmq.server.store.GroupOutcome;
import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.PushOutcome;
import dev.queenmq.server.store.QueueConfiguration;
import dev.queenmq.server.store.RenewOutcome;
import dev.queenmq.server.store.Renewal;
import dev.queenmq.server.store.Seek;
import dev.queenmq.server.store.SeekOutcome;
import dev.queenmq.server.store.SubscriptionMove;
import dev.queenmq.server.store.Transaction;
import dev.queenmq.server.store.TransactionOutcome;
import io.vertx.core.Future;
import java.util.List;

/**
 * What a broker does, for those who speak with clients. Nothing blocks. Answers come in the order
 * of the requests of one call; a call that could not be carried out fails with a {@link
 * BrokerException} whose text may be shown.
 *
 * <p>May be called from any thread; a caller on an event loop is answered on it.
 */
public interface Broker {

  /** Appends messages, in their order within each partition, and wakes who waits for them. */
  Future<List<PushOutcome>> push(List<Message> messages);

  /** Asks for messages. What cannot be had at once is waited for, without a thread. */
  Poll pop(PollRequest request);

  /** Takes verdicts. */
  Future<List<AckOutcome>> ack(List<Ack> acks);

  /** Does all of it or nothing. */
  Future<TransactionOutcome> transaction(Transaction transaction);

  /** Extends a lease. */
  Future<RenewOutcome> renew(Renewal renewal);

  /** Creates a queue or changes its options. */
  Future<ConfigureOutcome> configure(QueueConfiguration configuration);

  /** Deletes a queue with all that is in it. */
  Future<DeleteOutcome> deleteQueue(String queue);

  /** Moves a group, and wakes those of its consumers who wait. */
  Future<SeekOutcome> seek(Seek seek);

  /** Forgets how far a group is; those of its consumers who wait come as if for the first time. */
  Future<GroupOutcome> deleteGroup(GroupDeletion deletion);

  /** Changes where a group starts on partitions that it has not read. */
  Future<GroupOutcome> moveSubscription(SubscriptionMove move);

  /** Gives back what was handed out and cannot be delivered any more. */
  void release(Polled undelivered);
}
