package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.store.StoreException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls that want the same rows in opposite orders wait for each other, but never in a ring. {@code
 * -Dqueen.deadlock.rounds=N} runs more of them.
 */
@ExtendWith(BenchPostgresExtension.class)
class NoDeadlockIT {
  private static final int ROUNDS = Integer.getInteger("queen.deadlock.rounds", 10_000);
  private static final int IN_FLIGHT = 8;
  private static final int OPPOSITE = 2;
  private static final int PARTITIONS = 8;
  private static final int MIXED_SESSIONS = 5;

  private final BenchDatabase database;
  private final Queue<String> defects = new ConcurrentLinkedQueue<>();

  NoDeadlockIT(BenchPostgres postgres) {
    String name = "no_deadlock_" + Integer.toHexString(System.identityHashCode(this));
    database = postgres.createDatabase(name);
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
        pushing.add(pushRounds(forth, names, "f" + i, ROUNDS / IN_FLIGHT));
        pushing.add(pushRounds(back, reversed, "b" + i, ROUNDS / IN_FLIGHT));
      }
      Blocking.get(Future.join(pushing));
    }
    assertNoDeadlock();
    assertThat(database.number("select sum(next_offset)::bigint from queen.partitions"))
        .isEqualTo(2L * (ROUNDS / IN_FLIGHT) * IN_FLIGHT * OPPOSITE);
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
    List<Session> sessions = new ArrayList<>();
    try {
      List<Future<Void>> working = new ArrayList<>();
      for (int i = 0; i < MIXED_SESSIONS; i++) {
        Session session = Session.hasty(database);
        sessions.add(session);
        MixedCalls calls = new MixedCalls(session, PARTITIONS, i, new Random(i));
        working.add(rounds(ROUNDS / MIXED_SESSIONS / 2, round -> calls.next()));
      }
      Blocking.get(Future.join(working));
    } finally {
      sessions.forEach(Session::close);
    }
    assertNoDeadlock();
    // Also for groups that came while it was hidden.
    assertThat(
            database.number(
                "select count(*) from queen.hidden h"
                    + " join queen.partitions p on p.shard = h.shard and p.id = h.partition_id"
                    + " join queen.cursors c on c.shard = h.shard and c.partition_id = h.partition_id"
                    + " where h.only_group is distinct from c.consumer_group"
                    + " and h.message_offset >= c.committed and not h.message_offset <@ c.acked"))
        .as("hidden messages that a group could still get")
        .isZero();
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

  /** Who waited for whom, and where: such a thing may not come again for a long time. */
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
  }
}
