package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * What the procedures that append messages have in common: what is remembered, how payloads are
 * sealed, what is read before another call. Owned by the store's event loop.
 *
 * @param appended is told each transaction that appended messages and whose answer came back
 */
record Appending(
    StoreClient client,
    AppendMemory memory,
    Sealing sealing,
    IdHash hash,
    RecallProcedure recall,
    CappedQueues capped,
    StoreOptions options,
    LongConsumer appended) {

  /** Each round settles what it can; more than a few means that somebody deletes as we push. */
  private static final int MAX_ROUNDS = 10;

  static boolean givesUp(int round) {
    return round > MAX_ROUNDS;
  }

  /** The answer to a caller whose queue did not hold still. */
  static <T> Future<T> givenUp(String meanwhile) {
    return Future.failedFuture(
        new StoreException(
            StoreException.Kind.CONFLICT,
            "The queue kept changing while " + meanwhile,
            new IllegalStateException("gave up after " + MAX_ROUNDS + " rounds")));
  }

  /** The messages at these positions, for one call. */
  PushCall call(List<Message> messages, Positions positions, PushCall.RepeatRule rule) {
    return new PushCall(messages, positions, sealing, memory, hash, rule);
  }

  /** The arguments of a push that is no repetition, behind those that are there. */
  Tuple add(PushArguments gathered, Tuple arguments, int recallLimit, boolean careful) {
    return add(gathered, arguments, recallLimit, careful, 0);
  }

  /**
   * The arguments of a push behind those that are there.
   *
   * @param stamp of a repetition; else 0
   */
  Tuple add(PushArguments gathered, Tuple arguments, int recallLimit, boolean careful, long stamp) {
    return gathered.addTo(arguments, recallLimit, sealing.storesPlain(), careful, stamp);
  }

  /** Reads the ids that a call lacked; how many the procedure itself may read in the next one. */
  Future<Integer> recall(PushCall call) {
    return recall.all(call.recalls()).map(fits -> fits ? options.recallLimit() : Integer.MAX_VALUE);
  }
}
