package dev.queenmq.bench.cluster;

import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a broker says of the others; empty if it cannot or does not say.
 *
 * @param numbers all of them, by their path
 */
record SharedState(Map<String, Double> numbers) {
  private static final String PATH = "/api/v1/system/shared-state";
  private static final String METRICS = "/metrics";
  private static final String OPERATIONS = "sidecar.operations.";
  private static final String CALLS = ".calls";
  private static final String PEERS = "transport.heard.";
  private static final String ALIVE = "server_health.servers_alive";
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** Asks; blocks. */
  static SharedState of(BrokerUrl url) {
    return of(url, PATH);
  }

  /** Calls of PostgreSQL that a broker has made for clients and for polls that wait; blocks. */
  static double statements(BrokerUrl url) {
    return of(url, METRICS).numbers.entrySet().stream()
        .filter(each -> each.getKey().startsWith(OPERATIONS) && each.getKey().endsWith(CALLS))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private static SharedState of(BrokerUrl url, String path) {
    Map<String, Double> numbers = new TreeMap<>();
    // A client for each question, whose threads end with it: it is asked seldom.
    new BlockingClient(url, LIMIT)
        .get(path)
        .filter(Reply::isSuccess)
        .ifPresent(answer -> collect("", answer.body().toJsonObject(), numbers));
    return new SharedState(numbers);
  }

  private static void collect(String path, JsonObject json, Map<String, Double> numbers) {
    for (Map.Entry<String, Object> field : json) {
      String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      if (field.getValue() instanceof JsonObject below) {
        collect(name, below, numbers);
      } else if (field.getValue() instanceof Number number) {
        numbers.put(name, number.doubleValue());
      }
    }
  }

  /** How many others it believes to be alive. */
  Optional<Integer> alive() {
    return Optional.ofNullable(numbers.get(ALIVE)).map(Double::intValue);
  }

  /** The numbers without those of single peers, whose names differ from run to run. */
  Map<String, Double> figures() {
    Map<String, Double> some = new TreeMap<>(numbers);
    some.keySet().removeIf(name -> name.startsWith(PEERS));
    return some;
  }

  /** The sums of both. */
  SharedState plus(SharedState other) {
    Map<String, Double> sums = new TreeMap<>(numbers);
    other.numbers.forEach((name, number) -> sums.merge(name, number, Double::sum));
    return new SharedState(sums);
  }

  /** What has grown since then. */
  SharedState since(SharedState before) {
    Map<String, Double> grown = new TreeMap<>();
    numbers.forEach(
        (name, number) -> {
          double more = number - before.numbers.getOrDefault(name, 0.0);
          if (more != 0) {
            grown.put(name, more);
          }
        });
    return new SharedState(grown);
  }
}
