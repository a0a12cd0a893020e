package dev.queenmq.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.sqlclient.Row;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statistics for the planner are cheap to make, however large the messages are. */
@ExtendWith(PostgresExtension.class)
class AnalyzeIT {
  private TestDatabase database;
  private TestStore store;

  @BeforeEach
  void start(TestDatabase given) {
    database = given;
    store = TestStore.migrated(given);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void analyze_looksAtKeys_butNotIntoArrays() {
    store.push("q", "p", "first", "second");

    database.query("analyze queen.segments, queen.tail, queen.leases");

    assertThat(columns("s.attname = 'base_offset'")).containsExactly("segments.base_offset");
    assertThat(columns("t.typcategory = 'A'")).isEmpty();
  }

  /** With statistics. */
  private List<String> columns(String condition) {
    return database
        .query(
            """
            select s.tablename || '.' || s.attname
            from pg_stats s
            join pg_attribute a
              on a.attrelid = format('%%I.%%I', s.schemaname, s.tablename)::regclass
                and a.attname = s.attname
            join pg_type t on t.oid = a.atttypid
            where s.schemaname = 'queen' and %s
            """
                .formatted(condition))
        .stream()
        .map((Row row) -> row.getString(0))
        .toList();
  }
}
