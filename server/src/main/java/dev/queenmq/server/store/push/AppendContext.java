package dev.queenmq.server.store.push;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.store.call.Positions;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.recent.RecentMessages;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * What the procedures that append messages have in common: what is remembered, how payloads are
 * sealed, what is read before another call. Owned by the store's event loop.
 *
 * @param appended receives each transaction that appended messages and was answered
 * @param clock tells how long ago a message was sent before
 */
public record AppendContext(
    StoreClient client,
    AppendMemory memory,
    RecentMessages recent,
    PayloadEncryptor encryptor,
    IdHash hash,
    DedupWindowLoader recall,
    SizeLimitedQueues sizeLimited,
    StoreOptions options,
    LongConsumer appended,
    InstantSource clock) {

  /**
   * Each round settles what it can; more than a few mean that the queue is deleted at the same
   * time.
   */
  private static final int MAX_ROUNDS = 10;

  public static boolean givesUp(int round) {
    return round > MAX_ROUNDS;
  }

  /** The answer to a caller whose queue did not hold still. */
  public static <T> Future<T> givenUp(String meanwhile) {
    return Future.failedFuture(
        new StoreException(
            StoreException.Kind.CONFLICT,
            "The queue kept changing while " + meanwhile,
            new IllegalStateException("gave up after " + MAX_ROUNDS + " rounds")));
  }

  /** The messages at these positions, for one call. */
  public PushBatch call(List<Message> messages, Positions positions, PushBatch.RepeatRule rule) {
    return new PushBatch(messages, positions, encryptor, memory, recent, hash, rule);
  }

  /** What a call says about its messages. */
  public PushArguments arguments(PushBatch call) {
    return call.arguments(options, clock);
  }

  /** The arguments of a push that is no repetition, behind those that are there. */
  public Tuple add(
      PushArguments gathered, Tuple arguments, int recallLimit, boolean checkCapacity) {
    return add(gathered, arguments, recallLimit, checkCapacity, 0);
  }

  /**
   * The arguments of a push behind those that are there.
   *
   * @param stamp of a repetition; else 0
   */
  Tuple add(
      PushArguments gathered, Tuple arguments, int recallLimit, boolean checkCapacity, long stamp) {
    return gathered.addTo(arguments, recallLimit, encryptor.storesPlain(), checkCapacity, stamp);
  }

  /** Reads the ids that a call lacked; how many the procedure itself may read in the next one. */
  public Future<Integer> recall(PushBatch call) {
    return recall.all(call.recalls()).map(fits -> fits ? options.recallLimit() : Integer.MAX_VALUE);
  }
}
