package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls that want the same rows in opposite orders wait for each other, but never in a ring.
 * PostgreSQL looks for rings after 10 ms here, and its log is read. Every procedure that writes has
 * to be called. {@code -Dqueen.deadlock.rounds=N} runs more of them, {@code -Dqueen.deadlock.seed}
 * the same again.
 */
@ExtendWith(BenchPostgresExtension.class)
@Order(2)
class NoDeadlockIT {
  private static final int ROUNDS = Integer.getInteger("queen.deadlock.rounds", 1_500);
  private static final long SEED = Long.getLong("queen.deadlock.seed", System.nanoTime());
  private static final int OPPOSITE_ROUNDS = ROUNDS / 3;
  private static final int IN_FLIGHT = 8;
  private static final int OPPOSITE = 2;
  private static final int PARTITIONS = 8;
  private static final int MIXED_SESSIONS = 5;
  private static final int MORE = 20;
  private static final int ROUNDS_MORE = 1_000;

  private final BenchDatabase database;
  private final Queue<String> defects = new ConcurrentLinkedQueue<>();

  NoDeadlockIT(BenchPostgres postgres) {
    String name = "no_deadlock_" + Integer.toHexString(System.identityHashCode(this));
    database = postgres.createDatabase(name);
    try (Session session = Session.open(database)) {
      BackgroundCalls.watch(session, name);
    }
  }

  @Test
  void pushes_inOppositeOrders_neverDeadlock() {
    List<String> names = IntStream.range(0, OPPOSITE).mapToObj(i -> "p" + i).toList();
    try (Session forth = Session.hasty(database);
        Session back = Session.hasty(database)) {
      List<String> reversed = new ArrayList<>(names);
      Collections.reverse(reversed);
      List<Future<Void>> pushing = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        pushing.add(pushRounds(forth, names, "f" + i, OPPOSITE_ROUNDS / IN_FLIGHT));
        pushing.add(pushRounds(back, reversed, "b" + i, OPPOSITE_ROUNDS / IN_FLIGHT));
      }
      Blocking.get(Future.join(pushing));
    }
    assertNoDeadlock();
    assertThat(database.number("select sum(next_offset)::bigint from queen.partitions"))
        .isEqualTo(2L * (OPPOSITE_ROUNDS / IN_FLIGHT) * IN_FLIGHT * OPPOSITE);
  }

  /** Each push goes to all partitions, in this order. */
  private Future<Void> pushRounds(Session session, List<String> names, String prefix, int left) {
    return rounds(
        left,
        round ->
            session
                .store()
                .push(
                    names.stream()
                        .map(name -> session.message("opposite", name, prefix + "-" + round))
                        .toList())
                .mapEmpty());
  }

  @Test
  void everything_atOnce_neverDeadlocks() {
    System.out.println("NoDeadlockIT: -Dqueen.deadlock.seed=" + SEED);
    List<Session> sessions = new ArrayList<>();
    List<MixedCalls> calls = new ArrayList<>();
    try {
      for (int i = 0; i < MIXED_SESSIONS; i++) {
        Session session = Session.hasty(database);
        sessions.add(session);
        calls.add(new MixedCalls(session, PARTITIONS, i, new Random(SEED + i)));
      }
      mix(calls, ROUNDS);
      // What chance has left out so far.
      for (int i = 0; i < MORE && !notDriven().isEmpty(); i++) {
        mix(calls, ROUNDS_MORE);
      }
    } finally {
      sessions.forEach(Session::close);
    }
    assertNoDeadlock();
    assertThat(notDriven()).as("procedures that write and were not called").isEmpty();
    // Also for groups that came while it was hidden.
    assertThat(
            database.number(
                "select count(*) from queen.hidden h join queen.partitions p on p.shard = h.shard"
                    + " and p.id = h.partition_id join queen.cursors c on c.shard = h.shard and"
                    + " c.partition_id = h.partition_id where h.only_group is distinct from"
                    + " c.consumer_group and h.message_offset >= c.committed and not"
                    + " h.message_offset <@ c.acked"))
        .as("hidden messages that a group could still get")
        .isZero();
  }

  private void mix(List<MixedCalls> calls, int rounds) {
    Blocking.get(
        Future.join(
            calls.stream()
                .map(each -> rounds(rounds / MIXED_SESSIONS, round -> each.next()))
                .toList()));
  }

  /** A new procedure that writes has to be added to the calls above. */
  private List<String> notDriven() {
    return database
        .query(
            "select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace left"
                + " join pg_stat_user_functions f on f.funcid = p.oid where n.nspname = 'queen' and"
                + " coalesce(f.calls, 0) = 0 and p.prosrc ~* '(insert into|update|delete from)"
                + " queen|for (no key )?update|for key share|pg_advisory|execute format' order by"
                + " 1")
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  /** One after the other: a chain of thousands of futures would not unwind. */
  private Future<Void> rounds(int count, IntFunction<Future<Void>> round) {
    Promise<Void> over = Promise.promise();
    next(count, round, over);
    return over.future();
  }

  private void next(int left, IntFunction<Future<Void>> round, Promise<Void> over) {
    if (left == 0) {
      over.complete();
    } else {
      round.apply(left).recover(this::note).onComplete(done -> next(left - 1, round, over));
    }
  }

  /** A conflict that is no deadlock (the queue was deleted meanwhile) is part of the game. */
  private Future<Void> note(Throwable failure) {
    boolean expected =
        failure instanceof StoreException store
            && store.kind() == StoreException.Kind.CONFLICT
            && !String.valueOf(store.getCause()).contains("40P01");
    if (!expected) {
      defects.add(told(failure.getCause() == null ? failure : failure.getCause()));
    }
    return Future.succeededFuture();
  }

  /** Which statement waited for which, and where: a deadlock may not come again for a long time. */
  private static String told(Throwable cause) {
    return cause instanceof PgException postgres
        ? postgres.getMessage() + "\n" + postgres.getDetail() + "\n" + postgres.getWhere()
        : cause.toString();
  }

  private void assertNoDeadlock() {
    assertThat(defects).isEmpty();
    assertThat(
            database.number(
                "select deadlocks from pg_stat_database where datname = current_database()"))
        .isZero();
    assertThat(PostgresLog.of(database).lines())
        .noneMatch(line -> line.contains("deadlock detected"));
  }
}
