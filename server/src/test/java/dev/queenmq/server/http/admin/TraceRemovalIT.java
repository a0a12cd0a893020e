package dev.queenmq.server.http.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.Await;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Notes are counted right and go with their messages, over HTTP. */
class TraceRemovalIT extends TracesFixture {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void counts_areExact_whenManyRecordAtOnce() {
    String partition = push("t0", "t1");
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String names = i % 2 == 0 ? "[\"%s\",\"%sb\"]" : "[\"%2$sb\",\"%1$s\"]";
      answers.add(
          server.postLater(
              TRACES,
              "{\"transactionId\":\"t%d\",\"partitionId\":\"%s\",\"data\":1,\"traceNames\":%s}"
                  .formatted(i / 2 % 2, partition, names.formatted(name, name))));
    }

    assertThat(answers).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(201));

    assertThat(counts(name)).isEqualTo("40 2");
    assertThat(counts(name + "b")).isEqualTo("40 2");
  }

  @Test
  void traces_goWithTheQueue() {
    String partition = push("t");
    record(partition, "t", "1", "\"" + name + "\"");

    server.delete("/api/v1/resources/queues/" + queue);

    assertThat(traces(server.get(TRACES + "/by-name/" + name))).isEmpty();
    assertThat(traces(server.get(TRACES + "/" + partition + "/t"))).isEmpty();
    await().atMost(LIMIT).until(() -> rows(partition).equals("0 0"));
    assertThat(counts(name)).isEqualTo("-");
  }

  @Test
  void traces_goWithTheirMessage_andTakeNoOtherWithThem() {
    String partition = push("t0");
    push("t1");
    String elsewhere = name + "-elsewhere";
    for (int i = 0; i < 3; i++) {
      record(partition, "t0", "1", "[\"" + name + "\",\"" + elsewhere + "\"]");
    }
    record(partition, "t1", "2", "\"" + name + "\"");
    assertThat(counts(name)).isEqualTo("4 2");

    database.query(
        ("select queen.drop_segments_v1(0::smallint, array['%s'::uuid],"
                + " array[clock_timestamp()], array[1::bigint], 10)")
            .formatted(partition));

    assertThat(traces(server.get(TRACES + "/" + partition + "/t0"))).isEmpty();
    assertThat(traces(server.get(TRACES + "/by-name/" + name))).hasSize(1);
    // The broker's own upkeep may be at it already.
    assertThat(trimmed()).isNotNegative();
    await().atMost(LIMIT).until(() -> rows(partition).equals("1 1"));
    assertThat(trimmed()).as("the second time there is nothing left to do").isZero();
    assertThat(counts(name)).isEqualTo("1 1");
    assertThat(counts(elsewhere)).isEqualTo("-");
    assertThat(trace(partition, "t0").status()).isEqualTo(404);
  }

  @Test
  void trim_isBounded_andCountsMessagesRight() {
    String partition = push("t0");
    for (int i = 0; i < 5; i++) {
      record(partition, "t0", "1", "\"" + name + "\"");
    }
    String drop =
        "select queen.drop_traces_v1(0::smallint, array['%s'::uuid], null, null, 2)"
            .formatted(partition);
    // In one transaction: the broker's own upkeep would find the orphans between two of them.
    PgConnection one = database.connect();
    try {
      value(one, "begin");
      value(one, "delete from queen.queues where name = '%s'".formatted(queue));
      assertThat(value(one, drop)).isEqualTo(2);
      assertThat(value(one, countsOf(name))).isEqualTo("3 1");
      assertThat(value(one, drop)).isEqualTo(2);
      assertThat(value(one, drop)).isEqualTo(1);
      assertThat(value(one, drop)).isEqualTo(0);
      value(one, "commit");
    } finally {
      Await.await(one.close());
    }
    assertThat(counts(name)).isEqualTo("-");
  }

  /** The first value of a statement; null if it has no rows. */
  private static @Nullable Object value(PgConnection connection, String sql) {
    RowSet<Row> rows = Await.await(connection.query(sql).execute());
    return rows.size() == 0 ? null : rows.iterator().next().getValue(0);
  }

  @Test
  void traces_goWithAMessageThatIsDeleted_only() {
    String partition = push("t0", "t1");
    record(partition, "t0", "1", "\"" + name + "\"");
    record(partition, "t1", "2", "\"" + name + "\"");

    assertThat(server.delete("/api/v1/messages/" + partition + "/t0").status()).isEqualTo(200);

    assertThat(rows(partition)).isEqualTo("1 1");
    assertThat(counts(name)).isEqualTo("1 1");
    assertThat(traces(server.get(TRACES + "/" + partition + "/t1"))).hasSize(1);
  }

  private static long trimmed() {
    return server
        .post("/api/v1/system/upkeep/traces/run?wait=30000", "")
        .object()
        .getLong("removed");
  }

  private static String counts(String name) {
    return (String) database.value(countsOf(name));
  }

  private static String countsOf(String name) {
    return "select coalesce((select traces || ' ' || messages from queen.trace_name_counts"
        + " where name = '%s'), '-')".formatted(name);
  }

  private static String rows(String partition) {
    return (String)
        database.value(
            ("select (select count(*) from queen.traces where partition_id = '%1$s') || ' ' ||"
                    + " (select count(*) from queen.trace_names where partition_id = '%1$s')")
                .formatted(partition));
  }
}
