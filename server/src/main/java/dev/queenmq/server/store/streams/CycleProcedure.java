package dev.queenmq.server.store.streams;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.streams.CycleOutcome.Pushed;
import dev.queenmq.server.model.streams.CycleOutcome.Reason;
import dev.queenmq.server.model.streams.CycleOutcome.SourceResult;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.Positions;
import dev.queenmq.server.store.push.AppendContext;
import dev.queenmq.server.store.push.PushAnswer;
import dev.queenmq.server.store.push.PushArguments;
import dev.queenmq.server.store.push.PushBatch;
import dev.queenmq.server.store.push.PushTarget;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stream processor's cycle, all or nothing: {@code stream_cycle_v1}. Owned by the event loop. */
public final class CycleProcedure {
  private static final String SQL =
      """
      select c.o_outcome, c.o_queue, c.o_partition, c.o_changes, c.o_consumed, c.o_released,
             c.o_dead, c.o_queues, c.o_transaction_ids, c.o_message_ids, c.o_partition_ids,
             c.o_trace_ids, c.o_duplicates, (c.o_push).*
      from queen.stream_cycle_v1(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, %s) c
      """
          .formatted(PushArguments.row(19));

  private final AppendContext append;

  public CycleProcedure(AppendContext append) {
    this.append = append;
  }

  public Future<CycleOutcome> run(Cycle cycle) {
    Optional<Problem> problem = InputRules.cycle(cycle);
    if (problem.isPresent()) {
      return Future.succeededFuture(new CycleOutcome.Rejected(problem.get()));
    }
    return round(cycle, new HashMap<>(), append.options().recallLimit(), 1);
  }

  /**
   * One call.
   *
   * @param windows what the calls before have told about queues: see {@link #rule}
   */
  private Future<CycleOutcome> round(
      Cycle cycle, Map<PartitionName, Integer> windows, int recallLimit, int round) {
    if (AppendContext.givesUp(round)) {
      return AppendContext.givenUp("a cycle pushed to it");
    }
    Positions all = Positions.all(cycle.messages().size());
    PushBatch call = append.call(cycle.messages(), all, rule(windows));
    PushArguments gathered = append.arguments(call);
    return append
        .sizeLimited()
        .call(
            SQL,
            call,
            checkCapacity ->
                append.add(
                    gathered,
                    CycleArguments.of(append.options().shard(), cycle, call),
                    recallLimit,
                    checkCapacity))
        .recover(Failures::translate)
        .compose(rows -> conclude(cycle, call, windows, rows.iterator().next(), round));
  }

  /**
   * All must go in one call. So an id that stands in it twice is taken for a duplicate until the
   * store has told that the queue does not deduplicate.
   */
  private static PushBatch.RepeatRule rule(Map<PartitionName, Integer> windows) {
    return (name, remembered) -> {
      int window = windows.getOrDefault(name, remembered == null ? 1 : remembered.window());
      return window == 0 ? PushTarget.Repeats.SEND : PushTarget.Repeats.ECHO;
    };
  }

  private Future<CycleOutcome> conclude(
      Cycle cycle, PushBatch call, Map<PartitionName, Integer> windows, Row row, int round) {
    String outcome = row.getString("o_outcome");
    return switch (outcome) {
      case "committed" -> Future.succeededFuture(committed(cycle, call, row));
      case "repeated" -> Future.succeededFuture(repeated(row));
      case "query" -> rolledBack(Reason.QUERY_NOT_FOUND);
      case "partition" -> rolledBack(Reason.PARTITION_NOT_FOUND);
      case "lease" -> rolledBack(Reason.LEASE_LOST);
      case "message" -> rolledBack(Reason.MESSAGE_NOT_FOUND);
      case "group" -> rolledBack(Reason.UNKNOWN_GROUP);
      case "full" -> rolledBack(Reason.QUEUE_FULL);
      default -> {
        if (Stream.of(accept(cycle, call, row, false))
            .anyMatch(PushOutcome.KeyMissing.class::isInstance)) {
          yield rolledBack(Reason.KEY_MISSING);
        }
        windows.putAll(call.refusedWindows());
        yield append.recall(call).compose(limit -> round(cycle, windows, limit, round + 1));
      }
    };
  }

  private static Future<CycleOutcome> rolledBack(Reason reason) {
    return Future.succeededFuture(new CycleOutcome.RolledBack(reason));
  }

  private @Nullable PushOutcome[] accept(Cycle cycle, PushBatch call, Row row, boolean committed) {
    PushAnswer pushed = new PushAnswer(row, call.targetCount());
    @Nullable PushOutcome[] outcomes = new PushOutcome[cycle.messages().size()];
    call.accept(pushed, committed, outcomes);
    if (committed) {
      pushed.transaction().ifPresent(append.appended());
    }
    return outcomes;
  }

  private CycleOutcome committed(Cycle cycle, PushBatch call, Row row) {
    List<PushOutcome> outcomes = Outcomes.complete(accept(cycle, call, row, true));
    List<Pushed> pushes = new ArrayList<>(outcomes.size());
    for (int i = 0; i < outcomes.size(); i++) {
      pushes.add(pushed(cycle.messages().get(i), outcomes.get(i)));
    }
    return outcome(row, false, pushes);
  }

  private static Pushed pushed(Message message, PushOutcome outcome) {
    if (outcome instanceof PushOutcome.Queued queued) {
      return new Pushed(
          message.queue(),
          message.transactionId(),
          message.traceId(),
          queued.messageId(),
          queued.partitionId(),
          false);
    }
    PushOutcome.Duplicate duplicate = (PushOutcome.Duplicate) outcome;
    return new Pushed(
        message.queue(),
        message.transactionId(),
        message.traceId(),
        duplicate.firstMessageId(),
        duplicate.partitionId(),
        true);
  }

  /** What was answered then; the messages of this cycle may have got other ids. */
  private static CycleOutcome repeated(Row row) {
    String[] queues = row.getArrayOfStrings("o_queues");
    String[] transactionIds = row.getArrayOfStrings("o_transaction_ids");
    UUID[] messageIds = row.getArrayOfUUIDs("o_message_ids");
    UUID[] partitionIds = row.getArrayOfUUIDs("o_partition_ids");
    @Nullable UUID @Nullable [] traceIds = row.getArrayOfUUIDs("o_trace_ids");
    Boolean[] duplicates = row.getArrayOfBooleans("o_duplicates");
    List<Pushed> pushes = new ArrayList<>(queues.length);
    for (int i = 0; i < queues.length; i++) {
      pushes.add(
          new Pushed(
              queues[i],
              transactionIds[i],
              traceIds == null ? null : traceIds[i],
              messageIds[i],
              partitionIds[i],
              duplicates[i]));
    }
    return outcome(row, true, pushes);
  }

  private static CycleOutcome outcome(Row row, boolean repeated, List<Pushed> pushes) {
    Integer consumed = row.getInteger("o_consumed");
    return new CycleOutcome.Committed(
        row.getString("o_queue"),
        row.getString("o_partition"),
        repeated,
        row.getInteger("o_changes"),
        pushes,
        consumed == null
            ? Optional.empty()
            : Optional.of(
                new SourceResult(
                    consumed, row.getBoolean("o_released"), row.getBoolean("o_dead"))));
  }
}
