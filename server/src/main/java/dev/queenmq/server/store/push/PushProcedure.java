package dev.queenmq.server.store.push;

import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.Positions;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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

  // Never null, and never 0.
  private static final String LAST_STAMP =
      "select greatest(max(f.stamp), 1) from queen.push_fences f where f.shard = $1";

  private final AppendContext append;
  private final Handover.Means handing;
  // 0: those of the process before are not known yet.
  private long lastStamp;

  /**
   * Pushes.
   *
   * @param answers memory for what polls get
   * @param leases remembers those that pushes give
   */
  public PushProcedure(AppendContext append, AnswerMemory answers, LeaseMemory leases) {
    this.append = append;
    handing = new Handover.Means(answers, leases, append.recent());
  }

  /**
   * Appends messages.
   *
   * @param polls that wait for them
   */
  public Future<List<PushOutcome>> push(List<Message> messages, WaitingPolls polls) {
    Progress progress = new Progress(messages.size());
    Positions pending = new Positions(messages.size());
    @Nullable Message good = null;
    for (int i = 0; i < messages.size(); i++) {
      Optional<Problem> problem = MessageRules.messageAfter(good, messages.get(i));
      if (problem.isPresent()) {
        progress.outcomes[i] = new PushOutcome.Rejected(problem.get());
      } else {
        good = messages.get(i);
        pending.add(i);
      }
    }
    if (pending.isEmpty()) {
      return Future.succeededFuture(Outcomes.complete(progress.outcomes));
    }
    return first(messages, pending, progress, polls)
        .recover(
            failure ->
                progress.hasAppended()
                    ? Failures.translate(failure, true)
                    : Future.failedFuture(failure))
        .map(
            done -> {
              progress.transactions.forEach(append.appended()::accept);
              return Outcomes.complete(progress.outcomes);
            });
  }

  /**
   * What the statements of a push have done so far. Its transactions are told of only when all of
   * it has succeeded: a failed push wakes no poll here, so the tail must report what it has
   * appended.
   */
  private static final class Progress {
    final @Nullable PushOutcome[] outcomes;
    final List<Long> transactions = new ArrayList<>(1);

    Progress(int messages) {
      outcomes = new PushOutcome[messages];
    }

    void appendedBy(OptionalLong transaction) {
      transaction.ifPresent(transactions::add);
    }

    boolean hasAppended() {
      return !transactions.isEmpty();
    }
  }

  private Future<Void> first(
      List<Message> messages, Positions pending, Progress progress, WaitingPolls polls) {
    int recallLimit = append.options().recallLimit();
    PushBatch call = append.call(messages, pending, PushProcedure::repeats);
    PushArguments gathered = append.arguments(call);
    Optional<PlainPush> plain = call.plain(gathered, append.sizeLimited());
    if (plain.isEmpty()) {
      return procedure(call, gathered, progress, recallLimit, 1);
    }
    Optional<Handover> handover = Handover.of(handing, polls, plain.get(), call);
    return (handover.isEmpty()
            ? append.client().quick(plain.get().sql(), plain.get().arguments())
            : handover.get().run(append.client(), plain.get().arguments()))
        .recover(Failures::<RowSet<Row>>translate)
        .onFailure(failure -> handover.ifPresent(poll -> poll.failed(failure)))
        .compose(
            rows -> {
              PlainPush.Answer answer = plain.get().answer(rows);
              call.accept(
                  answer,
                  handover.flatMap(poll -> poll.leasedTo(rows)).orElse(null),
                  progress.outcomes);
              handover.ifPresent(poll -> poll.answered(rows));
              progress.appendedBy(answer.transaction());
              return round(call.messages(), call.again(), progress, recallLimit, 1);
            });
  }

  private Future<Void> round(
      List<Message> messages, Positions pending, Progress progress, int recallLimit, int round) {
    if (pending.isEmpty()) {
      return Future.succeededFuture();
    }
    if (AppendContext.givesUp(round)) {
      return AppendContext.givenUp("messages were pushed to it");
    }
    PushBatch call = append.call(messages, pending, PushProcedure::repeats);
    return procedure(call, append.arguments(call), progress, recallLimit, round);
  }

  private Future<Void> procedure(
      PushBatch call, PushArguments gathered, Progress progress, int recallLimit, int round) {
    if (lastStamp == 0 && gathered.isRepetition()) {
      return readLastStamp()
          .compose(known -> procedure(call, gathered, progress, recallLimit, round));
    }
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
        .recover(Failures::translate)
        .compose(
            rows -> {
              PushAnswer answer = new PushAnswer(rows.iterator().next(), call.targetCount());
              call.accept(answer, true, progress.outcomes);
              progress.appendedBy(answer.transaction());
              return append.recall(call);
            })
        .compose(limit -> round(call.messages(), call.again(), progress, limit, round + 1));
  }

  /**
   * The stamps of the process before: what is in the spool was perhaps sent by it, and the clock of
   * this machine may have been set back since. Its attempts left their stamps in their fences.
   */
  private Future<Void> readLastStamp() {
    return append
        .client()
        .call(LAST_STAMP, Tuple.of(append.options().shard()))
        .recover(Failures::translate)
        .compose(
            rows -> {
              lastStamp = Math.max(lastStamp, rows.iterator().next().getLong(0));
              return Future.succeededFuture();
            });
  }

  /** Larger than that of every earlier attempt, also those of the process before. */
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
