package dev.queenmq.server.store.push;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.Positions;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages. The usual push is one plain statement ({@link PlainPush}). What is not usual,
 * and what that statement did not find as it was expected, is appended by {@code push_v1}: mostly
 * one call; another one for what the first could not do (a partition that is gone, ids that had to
 * be read first). Owned by the store's event loop.
 */
public final class PushProcedure {
  private static final String SQL =
      "select * from queen.push_v1($1, %s)".formatted(PushArguments.row(2));

  private final AppendContext append;
  private long lastStamp;

  public PushProcedure(AppendContext append) {
    this.append = append;
  }

  public Future<List<PushOutcome>> push(List<Message> messages) {
    @Nullable PushOutcome[] outcomes = new PushOutcome[messages.size()];
    Positions pending = new Positions(messages.size());
    @Nullable Message good = null;
    for (int i = 0; i < messages.size(); i++) {
      Optional<Problem> problem = MessageRules.messageAfter(good, messages.get(i));
      if (problem.isPresent()) {
        outcomes[i] = new PushOutcome.Rejected(problem.get());
      } else {
        good = messages.get(i);
        pending.add(i);
      }
    }
    return first(messages, pending, outcomes).map(done -> Outcomes.complete(outcomes));
  }

  private Future<Void> first(
      List<Message> messages, Positions pending, @Nullable PushOutcome[] outcomes) {
    int recallLimit = append.options().recallLimit();
    if (pending.isEmpty()) {
      return Future.succeededFuture();
    }
    PushBatch call = append.call(messages, pending, PushProcedure::repeats);
    PushArguments gathered = append.arguments(call);
    Optional<PlainPush> plain = call.plain(gathered, append.sizeLimited());
    if (plain.isEmpty()) {
      return procedure(call, gathered, outcomes, recallLimit, 1);
    }
    return append
        .client()
        .quick(plain.get().sql(), plain.get().arguments())
        .recover(Failures::translate)
        .compose(
            rows -> {
              PlainPush.Answer answer = plain.get().answer(rows);
              call.accept(answer, outcomes);
              answer.transaction().ifPresent(append.appended());
              // If it appended nothing, nothing has happened yet.
              int next = answer.transaction().isPresent() ? 2 : 1;
              return round(call.messages(), call.again(), outcomes, recallLimit, next);
            });
  }

  private Future<Void> round(
      List<Message> messages,
      Positions pending,
      @Nullable PushOutcome[] outcomes,
      int recallLimit,
      int round) {
    if (pending.isEmpty()) {
      return Future.succeededFuture();
    }
    if (AppendContext.givesUp(round)) {
      return AppendContext.givenUp("messages were pushed to it");
    }
    PushBatch call = append.call(messages, pending, PushProcedure::repeats);
    return procedure(call, append.arguments(call), outcomes, recallLimit, round);
  }

  private Future<Void> procedure(
      PushBatch call,
      PushArguments gathered,
      @Nullable PushOutcome[] outcomes,
      int recallLimit,
      int round) {
    return append
        .sizeLimited()
        .call(
            SQL,
            call,
            checkCapacity ->
                append.add(
                    gathered,
                    Tuple.of(append.options().shard()),
                    recallLimit,
                    checkCapacity,
                    gathered.isRepetition() ? nextStamp() : 0))
        .recover(failure -> Failures.translate(failure, round > 1))
        .compose(
            rows -> {
              PushAnswer answer = new PushAnswer(rows.iterator().next(), call.targetCount());
              call.accept(answer, true, outcomes);
              answer.transaction().ifPresent(append.appended());
              return append.recall(call);
            })
        .compose(limit -> round(call.messages(), call.again(), outcomes, limit, round + 1));
  }

  /**
   * Larger than that of every earlier attempt. A broker that is started again goes on from the time
   * of day: what is in its spool was perhaps sent by the process before.
   */
  private long nextStamp() {
    lastStamp = Math.max(lastStamp + 1, TimeUnit.MILLISECONDS.toMicros(append.clock().millis()));
    return lastStamp;
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
