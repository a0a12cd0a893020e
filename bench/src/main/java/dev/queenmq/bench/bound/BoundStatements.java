package dev.queenmq.bench.bound;

import dev.queenmq.bench.bound.BoundQueue.Lane;
import dev.queenmq.bench.bound.BoundQueue.Lease;
import dev.queenmq.bench.bound.BoundQueue.Pending;
import dev.queenmq.embedded.PostgresAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One pipelined connection, and the statements that it runs. */
final class BoundStatements {
  /** Lanes of one statement. */
  static final int MOST_LANES = 64;

  private static final int PIPELINED = 16;
  private static final int CACHED = 2 * MOST_LANES;
  private static final int COLUMNS = 6;
  private static final String CREATE_LANE = sql("create_lane");
  private static final String POP = sql("pop");
  private static final String ACK = sql("ack");

  private final PgConnection connection;
  private final String[] pushes = new String[MOST_LANES + 1];

  private BoundStatements(PgConnection connection) {
    this.connection = connection;
    for (int lanes = 1; lanes <= MOST_LANES; lanes++) {
      pushes[lanes] = push(lanes);
    }
  }

  /** Connects, and makes the tables. */
  static Future<BoundStatements> connect(Vertx vertx, PostgresAddress address) {
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setDatabase(address.database())
            .setUser(address.user())
            .setPassword(address.password())
            .setPipeliningLimit(PIPELINED)
            .setCachePreparedStatements(true)
            .setPreparedStatementCacheMaxSize(CACHED)
            .setPreparedStatementCacheSqlFilter(text -> true)
            // One plan, and the only good one, also while there are no statistics.
            .addProperty("plan_cache_mode", "force_generic_plan")
            .addProperty("enable_hashjoin", "off")
            .addProperty("enable_mergejoin", "off")
            .addProperty("enable_seqscan", "off");
    return PgConnection.connect(vertx, options)
        .compose(
            connection ->
                connection
                    .query(sql("schema"))
                    .execute()
                    .map(made -> new BoundStatements(connection)));
  }

  private static String sql(String name) {
    try (InputStream file = BoundStatements.class.getResourceAsStream(name + ".sql")) {
      if (file == null) {
        throw new IllegalStateException("no " + name + ".sql");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A row of parameters for each lane: PostgreSQL has no arrays of arrays of different lengths. */
  private static String push(int lanes) {
    return IntStream.range(0, lanes)
        .map(lane -> lane * COLUMNS)
        .mapToObj(
            before ->
                "($%d, $%d, $%d, now(), $%d, $%d, $%d)"
                    .formatted(
                        before + 1, before + 2, before + 3, before + 4, before + 5, before + 6))
        .collect(Collectors.joining(", ", "insert into bound.segments values ", ""));
  }

  Future<RowSet<Row>> createLane(Lane lane) {
    return run(CREATE_LANE, Tuple.of(lane.id, lane.queue.name, lane.name));
  }

  /** Appends what is pending; each lane at its end. */
  Future<RowSet<Row>> push(List<Lane> lanes, List<Pending> pending) {
    Tuple row = Tuple.tuple();
    for (int i = 0; i < lanes.size(); i++) {
      Pending messages = pending.get(i);
      row.addUUID(lanes.get(i).id)
          .addLong(lanes.get(i).end)
          .addInteger(messages.size())
          .addArrayOfUUID(messages.ids.toArray(UUID[]::new))
          .addArrayOfString(messages.transactionIds.toArray(String[]::new))
          .addArrayOfBuffer(messages.payloads.toArray(Buffer[]::new));
    }
    return run(pushes[lanes.size()], row);
  }

  Future<RowSet<Row>> pop(List<Lease> leases) {
    return run(
        POP,
        Tuple.tuple()
            .addArrayOfUUID(leases.stream().map(lease -> lease.lane.id).toArray(UUID[]::new))
            .addArrayOfLong(leases.stream().map(lease -> lease.low).toArray(Long[]::new))
            .addArrayOfLong(leases.stream().map(lease -> lease.high).toArray(Long[]::new))
            .addArrayOfUUID(leases.stream().map(lease -> lease.id).toArray(UUID[]::new)));
  }

  Future<RowSet<Row>> ack(List<Lease> leases) {
    return run(
        ACK,
        Tuple.tuple()
            .addArrayOfUUID(leases.stream().map(lease -> lease.lane.id).toArray(UUID[]::new))
            .addArrayOfUUID(leases.stream().map(lease -> lease.id).toArray(UUID[]::new))
            .addArrayOfLong(leases.stream().map(lease -> lease.high).toArray(Long[]::new)));
  }

  private Future<RowSet<Row>> run(String text, Tuple parameters) {
    return connection.preparedQuery(text).execute(parameters);
  }
}
