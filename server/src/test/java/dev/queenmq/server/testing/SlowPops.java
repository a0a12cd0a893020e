package dev.queenmq.server.testing;

import static dev.queenmq.server.testing.Await.await;

import io.vertx.pgclient.PgConnection;
import org.awaitility.Awaitility;

/**
 * Makes pops slow to answer: each decides at once what it finds, as usual, but commits and answers
 * only when nobody holds the answers back.
 */
public final class SlowPops implements AutoCloseable {
  private static final String WRAP =
      """
      do $do$
      begin
        alter function queen.pop_v1 rename to pop_decided;
        execute format(
          $f$
            create function queen.pop_v1(%s) returns %s language plpgsql as $body$
            begin
              return query select * from queen.pop_decided(%s);
              perform pg_advisory_xact_lock_shared(1);
            end
            $body$
          $f$,
          pg_get_function_arguments('queen.pop_decided'::regproc),
          pg_get_function_result('queen.pop_decided'::regproc),
          (select string_agg('$' || n, ', ' order by n) from generate_series(
            1, (select pronargs from pg_proc where oid = 'queen.pop_decided'::regproc)) n));
      end
      $do$
      """;
  private static final String HELD =
      "select count(*) from pg_locks where locktype = 'advisory' and not granted"
          + " and database = (select oid from pg_database where datname = current_database())";

  private final PgConnection holder;

  /** In a database that a broker has prepared, before it has asked for the first time. */
  public SlowPops(TestDatabase database) {
    database.query(WRAP);
    holder = database.connect();
  }

  /** From here on no pop is answered. */
  public void hold() {
    await(holder.query("select pg_advisory_lock(1)").execute());
  }

  /** Waits until a pop has decided, and its answer is held back. */
  public void awaitHeld() {
    Awaitility.await()
        .until(() -> await(holder.query(HELD).execute()).iterator().next().getLong(0).equals(1L));
  }

  /** Lets the answers go. */
  public void letGo() {
    await(holder.query("select pg_advisory_unlock(1)").execute());
  }

  @Override
  public void close() {
    await(holder.close());
  }
}
