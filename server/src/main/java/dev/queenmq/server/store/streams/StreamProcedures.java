package dev.queenmq.server.store.streams;

import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StatePage.StateRow;
import dev.queenmq.server.model.streams.StateRead;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;

/** Queries of stream processors and their state, beside the cycles that change it. */
public final class StreamProcedures {
  private static final String REGISTER =
      "select * from queen.stream_register_v1($1, $2, $3, $4, $5, $6)";
  private static final String STATE =
      "select * from queen.stream_state_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";

  private final StoreClient client;
  private final short shard;

  public StreamProcedures(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<StreamRegistration> register(StreamQuery query) {
    Optional<Problem> problem = InputRules.streamQuery(query);
    if (problem.isPresent()) {
      return Future.succeededFuture(new StreamRegistration.Rejected(problem.get()));
    }
    Tuple arguments =
        Tuple.of(shard)
            .addString(query.name())
            .addString(query.sourceQueue())
            .addString(query.sinkQueue().orElse(null))
            .addString(query.configHash())
            .addBoolean(query.reset());
    return client
        .call(REGISTER, arguments)
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              UUID id = row.getUUID("o_id");
              return row.getBoolean("o_matches")
                  ? new StreamRegistration.Registered(
                      id, row.getBoolean("o_fresh"), row.getBoolean("o_reset"))
                  : new StreamRegistration.Mismatch(id);
            });
  }

  public Future<StatePage> read(StateRead read) {
    OptionalDouble ripeAt = read.ripeAt();
    Tuple arguments =
        Tuple.of(shard)
            .addUUID(read.queryId())
            .addUUID(read.partitionId())
            .addArrayOfString(read.keys().isEmpty() ? null : read.keys().toArray(String[]::new))
            .addString(read.prefix().orElse(null))
            .addDouble(ripeAt.isPresent() ? ripeAt.getAsDouble() : null)
            .addString(read.after().orElse(null))
            .addInteger(read.limit())
            .addLong(read.bytes());
    return client
        .call(STATE, arguments)
        .recover(Failures::translate)
        .map(rows -> page(rows.iterator().next()));
  }

  private static StatePage page(Row row) {
    String[] keys = row.getArrayOfStrings("o_keys");
    String[] values = row.getArrayOfStrings("o_values");
    OffsetDateTime[] updatedAt = row.getArrayOfOffsetDateTimes("o_updated_at");
    List<StateRow> state = new ArrayList<>(keys.length);
    for (int i = 0; i < keys.length; i++) {
      state.add(new StateRow(keys[i], values[i], updatedAt[i].toInstant()));
    }
    return new StatePage(state, row.getBoolean("o_more"));
  }
}
