package dev.queenmq.server.store.pop;

import dev.queenmq.server.model.polling.TailLook;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tail feed: {@code tail_v1}, and {@code trim_v1} which keeps it short. Brokers register here
 * as well, since a look says how many others there are.
 */
public final class TailProcedure {
  private static final String LOOK =
      "select * from queen.tail_v1($1, $2, $3::text[]::xid8[], $4, make_interval(secs => $5))";
  private static final String REGISTER =
      "select queen.register_broker_v1($1, $2, make_interval(secs => $3))";
  private static final String DEREGISTER = "select queen.deregister_broker_v1($1, $2)";
  private static final String TRIM =
      "select * from queen.trim_v1($1, make_interval(secs => $2), $3)";
  private static final String TRIM_REPEATED = "select queen.trim_repeated_v1($1, $2)";
  private static final String TRIM_ANSWERS = "select queen.trim_answers_v1($1, $2)";

  /** Of a step: a transaction of some ten milliseconds. */
  private static final int TRIM_ROWS = 2_000;

  /** A broker that has not registered for longer is down: it should have, three times. */
  private static final double LIVING_SECONDS = 45;

  private static final double FORGET_SECONDS = 3600;

  private final StoreClient client;
  private final short shard;

  public TailProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<TailLook> look(Optional<String> bookmark, List<Long> known, Optional<UUID> broker) {
    return client
        .call(LOOK, arguments(bookmark, known, broker))
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              @Nullable Integer others = row.getInteger("o_others");
              return new TailLook(
                  row.getString("o_snapshot"),
                  List.of(row.getArrayOfUUIDs("o_partition_ids")),
                  moved(
                      row.getArrayOfStrings("o_moved_queues"),
                      row.getArrayOfStrings("o_moved_groups")),
                  row.getOffsetDateTime("o_now").toInstant(),
                  others == null ? OptionalInt.empty() : OptionalInt.of(others));
            });
  }

  private static List<TailLook.MovedGroup> moved(String[] queues, String[] groups) {
    return IntStream.range(0, queues.length)
        .mapToObj(i -> new TailLook.MovedGroup(queues[i], groups[i]))
        .toList();
  }

  private Tuple arguments(Optional<String> bookmark, List<Long> known, Optional<UUID> broker) {
    return Tuple.of(shard)
        .addString(bookmark.orElse(null))
        .addArrayOfString(known.stream().map(String::valueOf).toArray(String[]::new))
        .addUUID(broker.orElse(null))
        .addDouble(LIVING_SECONDS);
  }

  public Future<Void> register(UUID broker) {
    return client
        .call(REGISTER, Tuple.of(shard, broker, FORGET_SECONDS))
        .recover(Failures::translate)
        .mapEmpty();
  }

  public Future<Void> deregister(UUID broker) {
    return client.call(DEREGISTER, Tuple.of(shard, broker)).recover(Failures::translate).mapEmpty();
  }

  /**
   * Removes what is older, in as many steps as it takes: so trimming keeps up with any rate of
   * appends. Answers how many rows were dealt with.
   */
  public Future<Long> trim(Duration keep) {
    return trim(keep, 0).compose(this::trimRepeated);
  }

  /** The same for what was kept for repeated calls. */
  private Future<Long> trimRepeated(long before) {
    return client
        .call(TRIM_REPEATED, Tuple.of(shard, TRIM_ROWS))
        .recover(Failures::<RowSet<Row>>translate)
        .compose(
            rows -> {
              int removed = rows.iterator().next().getInteger(0);
              return removed > TRIM_ROWS / 2
                  ? trimRepeated(before + removed)
                  : Future.succeededFuture(before + removed);
            });
  }

  private Future<Long> trim(Duration keep, long before) {
    return client
        .call(TRIM, Tuple.of(shard, keep.toMillis() / 1000.0, TRIM_ROWS))
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              int tail = row.getInteger("o_tail");
              int leases = row.getInteger("o_leases");
              long all = before + tail + leases;
              // Nearly full steps: some rows of it may be young, or another broker's.
              return tail > TRIM_ROWS / 2 || leases > TRIM_ROWS / 2
                  ? trim(keep, all)
                  : Future.succeededFuture(all);
            });
  }

  /** Removes old answers to redrives, and the room of queues that are gone. */
  public Future<Integer> trimAnswers() {
    return client
        .call(TRIM_ANSWERS, Tuple.of(shard, TRIM_ROWS))
        .recover(Failures::translate)
        .map(rows -> rows.iterator().next().getInteger(0));
  }
}
