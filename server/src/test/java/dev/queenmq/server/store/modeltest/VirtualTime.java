package dev.queenmq.server.store.modeltest;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.testing.TestDatabase;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;

/**
 * Gives the procedures a clock that stands still until a test moves it.
 *
 * <p>They call {@code clock_timestamp()} without a schema, and a schema that a session's search
 * path names before {@code pg_catalog} wins: so they are tested as they are, without waiting and to
 * the microsecond. The brokers' memory of transaction ids, which knows time only from the answers
 * of pushes, lives in the same time.
 */
final class VirtualTime {

  private VirtualTime() {}

  /** Sessions that start from now on have no time until they are told one. */
  static void install(TestDatabase database) {
    database.query(
        """
        create schema virtual_time;
        create function virtual_time.clock_timestamp() returns timestamptz language sql volatile
        as $$ select current_setting('virtual_time.now')::timestamptz $$;
        do $$ begin
          execute format('alter database %I set search_path = virtual_time, pg_catalog',
                         current_database());
          -- Crashes are tested elsewhere: here a commit need not wait for the disk.
          execute format('alter database %I set synchronous_commit = off', current_database());
        end $$;
        """);
  }

  /** It is now so late for the client's one session. */
  static void set(SqlClient client, Instant now) {
    await(client.query("set virtual_time.now = '" + now + "'").execute());
  }
}
