package dev.queenmq.server.store.groups;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.PauseOutcome;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators do to consumers: {@code end_lease_v1} and {@code pause_pops_v1}. */
public final class OperatorProcedures {
  private static final String END = "select * from queen.end_lease_v1($1, $2)";
  private static final String KNOWS_GROUP = "select queen.knows_group_v1($1, $2, $3)";
  private static final String PAUSE = "select * from queen.pause_pops_v1($1, $2, $3, $4)";

  /** Stands for all groups. */
  private static final String ALL_GROUPS = "";

  private final StoreClient client;
  private final short shard;

  public OperatorProcedures(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<Map<String, List<EndedLease>>> endLease(UUID leaseId) {
    return client
        .call(END, Tuple.of(shard, leaseId))
        .recover(Failures::translate)
        .map(rows -> ended(rows.iterator().next()));
  }

  private static Map<String, List<EndedLease>> ended(Row row) {
    String[] queues = row.getArrayOfStrings("o_queues");
    UUID[] ids = row.getArrayOfUUIDs("o_partition_ids");
    String[] partitions = row.getArrayOfStrings("o_partitions");
    String[] groups = row.getArrayOfStrings("o_groups");
    Map<String, List<EndedLease>> ended = new LinkedHashMap<>();
    for (int i = 0; i < queues.length; i++) {
      ended
          .computeIfAbsent(queues[i], queue -> new ArrayList<>())
          .add(new EndedLease(ids[i], partitions[i], groups[i]));
    }
    return ended;
  }

  /**
   * Refuses a group that the queue does not know: its name is probably mistyped, and whoever pauses
   * it would believe that its consumers are held back. A pause of a group that was deleted since
   * can be ended.
   */
  public Future<PauseOutcome> pause(PopPause pause) {
    Optional<Problem> problem =
        MessageRules.name("queue", pause.queue())
            .or(() -> pause.group().flatMap(group -> MessageRules.name("consumerGroup", group)));
    if (problem.isPresent()) {
      return Future.succeededFuture(new PauseOutcome.Rejected(problem.get()));
    }
    if (pause.group().isEmpty()) {
      return change(pause);
    }
    return client
        .call(KNOWS_GROUP, Tuple.of(shard, pause.queue(), pause.group().get()))
        .recover(Failures::translate)
        .compose(
            rows -> {
              @Nullable Boolean known = rows.iterator().next().getBoolean(0);
              if (known == null) {
                return Future.succeededFuture(new PauseOutcome.NotFound());
              }
              if (known) {
                return change(pause);
              }
              return pause.paused()
                  ? Future.succeededFuture(new PauseOutcome.UnknownGroup())
                  : change(pause).map(OperatorProcedures::unlessUnchanged);
            });
  }

  private static PauseOutcome unlessUnchanged(PauseOutcome outcome) {
    return outcome instanceof PauseOutcome.Done done && !done.changed()
        ? new PauseOutcome.UnknownGroup()
        : outcome;
  }

  private Future<PauseOutcome> change(PopPause pause) {
    Tuple arguments =
        Tuple.tuple()
            .addString(pause.queue())
            .addString(pause.group().orElse(ALL_GROUPS))
            .addBoolean(pause.paused())
            // PostgreSQL has no text with a zero in it.
            .addString(pause.by().map(text -> text.replace("\0", "")).orElse(null));
    return client
        .call(PAUSE, arguments)
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return row.getBoolean("o_found")
                  ? new PauseOutcome.Done(
                      row.getBoolean("o_changed"),
                      Optional.ofNullable(row.getOffsetDateTime("o_since"))
                          .map(OffsetDateTime::toInstant))
                  : new PauseOutcome.NotFound();
            });
  }
}
