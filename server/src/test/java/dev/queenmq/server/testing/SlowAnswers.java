package dev.queenmq.server.testing;

import static dev.queenmq.server.testing.Await.await;

import io.vertx.pgclient.PgConnection;
import org.awaitility.Awaitility;

/**
 * Makes a procedure slow to answer, or all that insert into a table: they decide at once what they
 * find, as usual, but commit and answer only when answers are no longer held back.
 */
public final class SlowAnswers implements AutoCloseable {
  private static final String WRAP =
      """
      do $do$
      declare
        v_name constant text := ':procedure';
        v_function constant pg_proc := (select p from pg_proc p where p.oid = ('queen.' || v_name)::regproc);
        v_call text;
      begin
        execute format('alter function queen.%I rename to %I', v_name, v_name || '_decided');
        v_call := format('select * from queen.%I(%s)', v_name || '_decided', (
          select string_agg('$' || n, ', ' order by n) from generate_series(1, v_function.pronargs) n));
        if v_function.proretset then
          v_call := 'return query ' || v_call;
        else
          -- One by one: "into" takes no list with a composite in it.
          v_call := v_call || ' into v_answer' || (
            select string_agg(format('; %1$I := v_answer.%1$I', o.name), '')
            from unnest(v_function.proargnames[v_function.pronargs + 1 :]) as o (name));
        end if;
        execute format(
          $f$
            create function queen.%I(%s) returns %s language plpgsql as $body$
            declare
              v_answer record;
            begin
              %s;
              perform pg_advisory_xact_lock_shared(1);
            end
            $body$
          $f$,
          v_name, pg_get_function_arguments(v_function.oid), pg_get_function_result(v_function.oid), v_call);
      end
      $do$
      """;
  private static final String TRIGGER =
      """
      create function queen.hold_inserts() returns trigger language plpgsql as $body$
      begin
        perform pg_advisory_xact_lock_shared(1);
        return null;
      end
      $body$;
      create trigger hold_inserts after insert on queen.:table
      for each row execute function queen.hold_inserts()
      """;
  private static final String HELD =
      "select count(*) from pg_locks where locktype = 'advisory' and not granted"
          + " and database = (select oid from pg_database where datname = current_database())";

  private final PgConnection holder;

  /** In a database that a broker has prepared, before it has asked for the first time. */
  public SlowAnswers(TestDatabase database, String procedure) {
    this(database.connect(), WRAP.replace(":procedure", procedure));
  }

  private SlowAnswers(PgConnection holder, String sql) {
    this.holder = holder;
    await(holder.query(sql).execute());
  }

  /** Of whatever inserts into a table of the schema; at any time. */
  public static SlowAnswers whereInserted(TestDatabase database, String table) {
    return new SlowAnswers(database.connect(), TRIGGER.replace(":table", table));
  }

  /** From here on no question is answered. */
  public void hold() {
    await(holder.query("select pg_advisory_lock(1)").execute());
  }

  /** Waits until the store has decided, and its answer is held back. */
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
