package dev.queenmq.bench.concurrency;

import dev.queenmq.bench.Blocking;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.upkeep.ResealStep;
import dev.queenmq.server.store.upkeep.ResealStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * What brokers do besides messages: upkeep, statistics, history, traces, sealing again what is
 * stored. Mostly in plain SQL.
 */
final class BackgroundCalls {
  private static final List<String> JOBS =
      List.of(
          "retention", "eviction", "partitions", "orphans", "traces", "dead-letters", "history");

  private static final EncryptionKey ONE = EncryptionKey.ofHex("1".repeat(64));
  private static final EncryptionKey OTHER = EncryptionKey.ofHex("2".repeat(64));

  /** Of brokers that seal with one key, and can open what the other sealed. */
  static final Encryption ONE_KEY = keys(ONE, OTHER);

  private static final Encryption OTHER_KEY = keys(OTHER, ONE);

  private final Session session;
  private final Random random;
  private final UUID broker = UUID.randomUUID();
  private final List<ResealStore> resealing;

  BackgroundCalls(Session session, Random random) {
    this.session = session;
    this.random = random;
    resealing = List.of(resealing(ONE_KEY), resealing(OTHER_KEY));
  }

  private ResealStore resealing(Encryption keys) {
    return new ResealStore(
        StoreClient.of(session.connection().connection()),
        keys,
        StoreOptions.defaults().shard(),
        broker,
        new ResealStore.Page(6, 40, 1 << 16));
  }

  Future<Void> next() {
    return switch (random.nextInt(22)) {
      case 0 -> sql("select queen.statistics_step_v1(0::smallint, 0, true, 3)");
      case 1 -> minute();
      case 2 -> sql("select queen.forget_brokers_v1(" + random.nextInt(2) + ")");
      case 3 -> sql("select queen.set_state_v1('deadlock', to_jsonb(true))");
      case 4 -> sql("select queen.trim_v1(0::smallint, interval '0', 100)");
      case 5 -> sql("select queen.trim_answers_v1(0::smallint, 10)");
      case 6 -> sql("select queen.trim_repeated_v1(0::smallint, 10)");
      case 7 ->
          sql(
              "select queen.undo_auto_pop_v1(0::smallint, coalesce((select a.pop_id from"
                  + " queen.auto_pops a where cardinality(a.partition_ids) > 0 limit 1),"
                  + " gen_random_uuid()))");
      // One that is large enough to be removed in steps, and a step.
      case 8 ->
          random.nextInt(8) > 0
              ? Future.succeededFuture()
              : sql("select queen.delete_queues_v1(0::smallint, array['mixed.out', 'Mixed'], 2)");
      case 9 -> sql("select queen.delete_marked_v1(0::smallint, 3)");
      // Also without the pages before them, which a queue that lives shortly never gets through.
      case 10 -> sql(ofQueues("retain"));
      case 11 -> sql(ofQueues("evict"));
      // As if more than two partitions were many.
      case 12 -> sql("select queen.count_backlog_step_v1(0::smallint, 2, 2)");
      case 13, 14, 15, 16 -> reseal();
      case 17 ->
          sql(
              random.nextInt(4) == 0
                  ? "select queen.deregister_broker_v1(0::smallint, '%s')".formatted(broker)
                  : "select queen.register_broker_v1(0::smallint, '%s', interval '0')"
                      .formatted(broker));
      default -> upkeep(JOBS.get(random.nextInt(JOBS.size())));
    };
  }

  /**
   * Some steps, seldom with another key than the others have. Most leave the rest to others; some
   * take the others for gone.
   */
  private Future<Void> reseal() {
    ResealStore steps = resealing.get(random.nextInt(20) / 19);
    if (random.nextInt(3) == 0) {
      return sql(
          "select queen.reseal_look_v1(0::smallint, '%s', '%s', interval '0', interval '0', interval '0')"
              .formatted(broker, ONE.id()));
    }
    return reseal(steps, 1 + random.nextInt(6))
        .compose(done -> random.nextInt(6) == 0 ? Future.succeededFuture() : steps.stopped());
  }

  private static Future<Void> reseal(ResealStore steps, int count) {
    return steps
        .step()
        .compose(
            step ->
                step.state() == ResealStep.State.MORE && count > 1
                    ? reseal(steps, count - 1)
                    : Future.succeededFuture());
  }

  private static Encryption keys(EncryptionKey current, EncryptionKey previous) {
    return new Encryption(new PayloadCipher(Optional.of(current), Optional.of(previous)), false);
  }

  /** A trace of a message, or a message that is taken back. */
  Future<Void> about(PartitionBatch batch, String group) {
    String message = batch.messages().get(0).transactionId();
    if (random.nextBoolean() || batch.lease().isEmpty()) {
      String names = random.nextBoolean() ? "array['two','one']" : "array['three','two']";
      return sql(
          "select queen.record_trace_v1(0::smallint, '%s', '%s', '%s', 'info', 'w', '{}', %s, 1000)"
              .formatted(batch.partitionId(), message, group, names));
    }
    UUID lease = batch.lease().map(Lease::id).orElseThrow();
    if (random.nextBoolean()) {
      return sql(
          "select queen.complete_leases_v1(0::smallint, array['%s']::uuid[], array['%s'], array['%s']::uuid[])"
              .formatted(batch.partitionId(), group, lease));
    }
    return sql(
        "select queen.withhold_v1(0::smallint, array['%s']::uuid[], array['%s'], array['%s']::uuid[], array[1], array[%d]::bigint[])"
            .formatted(batch.partitionId(), group, lease, batch.messages().get(0).offset()));
  }

  private static String ofQueues(String procedure) {
    return "select queen.%s_v1(0::smallint, q.id, '', false, 8, 10) from queen.queues q where q.name = 'Mixed'"
        .formatted(procedure);
  }

  private Future<Void> minute() {
    return sql(
        "select queen.write_minute_v1(date_trunc('minute', now()), '%s', 'h', 1, 'n', 1,"
                .formatted(broker)
            + " array_fill(0::bigint, array[10]), array['Mixed'], array_fill(0::bigint, array[16]),"
            + " 1, array_fill(0::bigint, array[21]), array_fill(0::float8, array[2]), 1, '{}',"
            + " '{}', '{}', '{}', '{}'::jsonb)");
  }

  /** A claim that holds for no time, so that all sessions get their turn; a step; an end. */
  private Future<Void> upkeep(String job) {
    return query(
            "select o_token from queen.upkeep_claim_v1('%s', 'h', interval '0', interval '0', %s)"
                .formatted(job, random.nextInt(4) == 0))
        .compose(
            rows -> {
              Long token = rows.iterator().next().getLong(0);
              return token == null
                  ? Future.<Void>succeededFuture()
                  : sql(step(job, token)).compose(done -> end(job, token));
            });
  }

  private Future<Void> end(String job, long token) {
    return sql(
        switch (random.nextInt(3)) {
          case 0 -> "select queen.upkeep_release_v1('%s', %d)".formatted(job, token);
          case 1 -> "select queen.upkeep_end_v1('%s', %d, null, false)".formatted(job, token);
          default -> "select 1";
        });
  }

  private String step(String job, long token) {
    String head = "(0::smallint, " + token + ", interval '0', ";
    return switch (job) {
      case "history" ->
          "select queen.upkeep_history_v1(%d, interval '0', array['minute_queues', 'upkeep_runs'], array['minute', 'started_at'], array[0, 0], 10)"
              .formatted(token);
      case "partitions" -> "select queen.upkeep_partitions_v1" + head + "0, 4)";
      case "dead-letters" -> "select queen.upkeep_dead_letters_v1" + head + "0, 5)";
      default -> "select queen.upkeep_" + job + "_v1" + head + "4, 10)";
    };
  }

  private Future<Void> sql(String statement) {
    return query(statement).mapEmpty();
  }

  private Future<RowSet<Row>> query(String statement) {
    return session.connection().connection().query(statement).execute();
  }

  /** What a database that a test has for itself looks for, and counts. */
  static void watch(Session session, String database) {
    Blocking.get(
        session
            .connection()
            .connection()
            .query(
                "alter database "
                    + database
                    + " set deadlock_timeout = '10ms'; alter database "
                    + database
                    + " set track_functions = 'all'; alter database "
                    + database
                    + " set log_lock_waits = off")
            .execute());
  }
}
