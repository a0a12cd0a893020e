package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages: {@code push_v2}. Mostly one call; another one for what the first could not do
 * (a partition that is gone, ids that had to be read first). Owned by the store's event loop.
 */
final class PushProcedure {
  private static final String SQL =
      "select * from queen.push_v2("
          + "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,"
          + " $20, $21, $22, $23)";

  /** Each round settles what it can; more than a few means that somebody deletes as we push. */
  private static final int MAX_ROUNDS = 10;

  private final AppendMemory memory;
  private final Sealing sealing;
  private final IdHash hash;
  private final RecallProcedure recall;
  private final CappedQueues capped;
  private final StoreOptions options;
  private final LongConsumer appended;

  PushProcedure(
      AppendMemory memory,
      Sealing sealing,
      IdHash hash,
      RecallProcedure recall,
      CappedQueues capped,
      StoreOptions options,
      LongConsumer appended) {
    this.memory = memory;
    this.sealing = sealing;
    this.hash = hash;
    this.recall = recall;
    this.capped = capped;
    this.options = options;
    this.appended = appended;
  }

  Future<List<PushOutcome>> push(List<Message> messages) {
    @Nullable PushOutcome[] outcomes = new PushOutcome[messages.size()];
    List<Integer> pending = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      Optional<Problem> problem = InputRules.message(messages.get(i));
      if (problem.isPresent()) {
        outcomes[i] = new PushOutcome.Rejected(problem.get());
      } else {
        pending.add(i);
      }
    }
    return round(messages, pending, outcomes, options.recallLimit(), 1)
        .map(done -> Outcomes.complete(outcomes));
  }

  private Future<Void> round(
      List<Message> messages,
      List<Integer> pending,
      @Nullable PushOutcome[] outcomes,
      int recallLimit,
      int round) {
    if (pending.isEmpty()) {
      return Future.succeededFuture();
    }
    if (round > MAX_ROUNDS) {
      return Future.failedFuture(
          new StoreException(
              StoreException.Kind.CONFLICT,
              "The queue kept changing while messages were pushed to it",
              new IllegalStateException("gave up after " + MAX_ROUNDS + " rounds")));
    }
    PushCall call = new PushCall(messages, pending, sealing, memory, hash, PushProcedure::repeats);
    PushArguments gathered = call.arguments(options);
    return capped
        .call(
            SQL,
            call,
            careful ->
                gathered.addTo(
                    Tuple.of(options.shard()), recallLimit, sealing.storesPlain(), careful))
        .recover(Failures::translate)
        .compose(
            rows -> {
              PushAnswer answer = new PushAnswer(rows.iterator().next(), call.targetCount());
              call.accept(answer, true, outcomes);
              answer.transaction().ifPresent(appended);
              return recall.all(call.recalls());
            })
        .compose(
            fits ->
                round(
                    call.messages(),
                    call.again(),
                    outcomes,
                    fits ? options.recallLimit() : Integer.MAX_VALUE,
                    round + 1));
  }

  /** Whether a queue deduplicates is known once something was pushed to it. */
  private static PushTarget.Repeats repeats(
      PartitionName name, @Nullable RememberedPartition remembered) {
    if (remembered == null) {
      return PushTarget.Repeats.DEFER;
    }
    return remembered.window() == 0 ? PushTarget.Repeats.SEND : PushTarget.Repeats.ECHO;
  }
}
