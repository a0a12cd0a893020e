package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/**
 * A broker that warms up before it opens its port leaves nothing behind, and starts in any case.
 */
@ExtendWith(PostgresExtension.class)
class WarmUpIT {
  private static final Map<String, String> WARM =
      Map.of("QUEEN_WARM_UP_MS", "1000", "NUM_WORKERS", "2", "LOG_LEVEL", "debug");

  private final Logger log = (Logger) LoggerFactory.getLogger(WarmUp.class);
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();

  WarmUpIT() {}

  @BeforeEach
  void listen() {
    log.setLevel(Level.DEBUG);
    said.start();
    log.addAppender(said);
  }

  @AfterEach
  void stopListening() {
    log.detachAppender(said);
    log.setLevel(null);
  }

  @Test
  void warmUp_leavesNothingInTheDatabase(TestDatabase database) throws IOException {
    Map<String, Long> cold;
    try (RunningServer server = RunningServer.on(database.endpoint(), Map.of())) {
      assertThat(server.push(item("q", "p", "first")).status()).isEqualTo(201);
      cold = rows(database);
    }
    try (RunningServer server = RunningServer.on(database.endpoint(), WARM)) {
      assertThat(lines()).singleElement().asString().startsWith("warmed up with ");
      assertThat(lines().get(0)).doesNotContain(" 0 rounds");
      assertThat(rows(database)).isEqualTo(cold);
      assertThat(server.get("/metrics/prometheus").body()).doesNotContain("warm-up");
      assertThat(server.pop("q", "batch=10").transactionIds()).containsExactly("first");
    }
  }

  @Test
  void warmUp_thatCannotWork_doesNotStopTheStart(TestDatabase database) throws IOException {
    try (RunningServer server = RunningServer.on(database.endpoint(), Map.of())) {
      assertThat(server.push(item("q", "p", "first")).status()).isEqualTo(201);
    }
    database.query(
        "create function public.refuse() returns trigger language plpgsql as"
            + " $$ begin raise exception 'no queues any more'; end $$");
    database.query(
        "create trigger refuse before insert on queen.queues"
            + " for each row execute function public.refuse()");

    try (RunningServer server = RunningServer.on(database.endpoint(), WARM)) {
      assertThat(lines()).singleElement().asString().startsWith("starts without a warm-up: ");
      assertThat(server.push(item("q", "p", "second")).status()).isEqualTo(201);
      assertThat(server.pop("q", "batch=10").transactionIds()).containsExactly("first", "second");
    }
  }

  private List<String> lines() {
    return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** How many rows each table has, but for those that a broker writes without being asked. */
  private static Map<String, Long> rows(TestDatabase database) {
    Map<String, Long> counts = new TreeMap<>();
    database
        .query(
            "select table_name from information_schema.tables"
                + " where table_schema = 'queen' and table_type = 'BASE TABLE'"
                + " and table_name !~ '^(brokers|living_brokers|minute_|upkeep|statistics|oldest_"
                + "|measurements|capacities|system_state)'")
        .forEach(
            row ->
                counts.put(
                    row.getString(0),
                    (Long) database.value("select count(*) from queen." + row.getString(0))));
    assertThat(counts).containsKeys("queues", "partitions", "segments", "cursors");
    return counts;
  }
}
