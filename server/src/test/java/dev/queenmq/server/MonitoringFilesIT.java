package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the dashboard, the alerts and their page ask Prometheus for, a broker really tells. */
@ExtendWith(PostgresExtension.class)
class MonitoringFilesIT {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b(queen_[a-z_]+)(?:\\{((?:[^{}\"]|\"[^\"]*\")*)})?");
  private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|=)\"([^\"]*)\"");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(queen_[a-z_]+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** Set by Prometheus. */
  private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance");

  @TempDir private Path folder;
  private RunningServer server;

  @BeforeEach
  void start(TestDatabase database) {
    server =
        RunningServer.on(
            database.endpoint(),
            Map.of(
                "METRICS_AGGREGATE_INTERVAL_S",
                "1",
                // A busy machine is no outage.
                "QUEEN_SPOOL_DEADLINE_MS",
                "60000",
                "QUEEN_SPOOL_DIR",
                folder.resolve("spool").toString()));
    server.push(item("q", "p", "1"), item("q", "p", "2"), item("q", "p", "3"));
    List<JsonObject> popped = server.pop("q", "batch=2&consumerGroup=g").messages();
    server.ackAll(popped.subList(0, 1), "completed");
    server.ackAll(popped.subList(1, 2), "dlq");
    server.get("/nothing");
    server.post("/api/v1/stats/refresh?wait=true", "");
    // The minute is written down, and with it the last families appear.
    Awaitility.await()
        .until(
            () ->
                server
                    .get("/metrics/prometheus")
                    .body()
                    .contains("queen_queue_ack_per_minute{queue=\"q\""));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void alerts_useMetricsThatExist() throws IOException {
    String rules = Files.readString(DEPLOY.resolve("prometheus/alerts.yml"));

    assertKnown(rules.lines().filter(line -> line.strip().startsWith("expr:")).toList(), 15);
  }

  @Test
  void dashboard_usesMetricsThatExist() throws IOException {
    JsonObject dashboard = new JsonObject(Files.readString(DEPLOY.resolve("grafana/queen.json")));
    List<String> expressions = new ArrayList<>();
    collect(dashboard, expressions);

    assertKnown(expressions, 30);
  }

  @Test
  void page_recommendsMetricsThatExist() throws IOException {
    String page = Files.readString(Path.of("../docs/monitoring.md"));

    assertKnown(
        page.lines().filter(line -> line.startsWith("| `") && line.contains("queen_")).toList(), 5);
  }

  /** Each with its labels, and with the values of labels, except for what only errors bring. */
  private void assertKnown(List<String> expressions, int atLeast) {
    Map<String, List<Map<String, String>>> known =
        samples(server.get("/metrics/prometheus").body());
    int looked = 0;
    for (String expression : expressions) {
      Matcher selectors = SELECTOR.matcher(expression);
      while (selectors.find()) {
        looked++;
        String name = selectors.group(1);
        assertThat(known).as(expression).containsKey(name);
        Matcher matchers = MATCHER.matcher(selectors.group(2) == null ? "" : selectors.group(2));
        while (matchers.find()) {
          assertMatches(
              expression,
              Objects.requireNonNull(known.get(name)),
              matchers.group(1),
              matchers.group(3));
        }
      }
    }
    assertThat(looked).isGreaterThanOrEqualTo(atLeast);
  }

  private static void assertMatches(
      String expression, List<Map<String, String>> samples, String label, String value) {
    if (OF_THE_SCRAPE.contains(label)) {
      return;
    }
    assertThat(samples).as(expression).allSatisfy(each -> assertThat(each).containsKey(label));
    if (!value.contains("$") && !label.equals("status")) {
      Set<String> told = new HashSet<>();
      samples.forEach(each -> told.add(each.get(label)));
      assertThat(told).as(expression).anyMatch(each -> each.matches(value));
    }
  }

  private static Map<String, List<Map<String, String>>> samples(String text) {
    Map<String, List<Map<String, String>>> found = new HashMap<>();
    Matcher samples = SAMPLE.matcher(text);
    while (samples.find()) {
      Map<String, String> labels = new HashMap<>();
      Matcher each = LABEL.matcher(samples.group(2) == null ? "" : samples.group(2));
      while (each.find()) {
        labels.put(each.group(1), each.group(2));
      }
      found.computeIfAbsent(samples.group(1), name -> new ArrayList<>()).add(labels);
    }
    return found;
  }

  /** All texts of a dashboard that are expressions, those of its variables too. */
  private static void collect(Object value, List<String> expressions) {
    if (value instanceof JsonObject object) {
      object.forEach(
          field -> {
            if (field.getValue() instanceof String text && text.contains("queen_")) {
              expressions.add(text);
            }
            collect(field.getValue(), expressions);
          });
    } else if (value instanceof Iterable<?> array) {
      array.forEach(each -> collect(each, expressions));
    }
  }
}
