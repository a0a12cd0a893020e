package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What brokers took of their machines over time.
 *
 * @param timeRange of the chart
 * @param bucketMinutes width of its points
 * @param replicas one for each broker
 */
public record SystemHistory(TimeRange timeRange, int bucketMinutes, List<Replica> replicas) {

  /**
   * A broker.
   *
   * @param hostname of its machine
   * @param port that it listens on
   * @param workerId its name
   * @param timeSeries the oldest point first
   */
  public record Replica(String hostname, int port, String workerId, List<Point> timeSeries) {}

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param sampleCount how many samples it is made of
   * @param metrics what was measured
   */
  public record Point(Instant timestamp, long sampleCount, Metrics metrics) {}

  /**
   * What was measured.
   *
   * @param cpu of the process
   * @param memory of the process
   * @param database connections
   * @param threadpool threads
   * @param registries what waits
   * @param sharedState what it knew of other brokers
   */
  public record Metrics(
      Cpu cpu,
      Memory memory,
      Database database,
      Threadpool threadpool,
      Registries registries,
      @JsonProperty("shared_state") @Nullable JsonNode sharedState) {}

  /**
   * CPU time: percent of one core, times 100.
   *
   * @param user in the code of the broker
   * @param system in the kernel for it
   */
  public record Cpu(
      @JsonProperty("user_us") Sample user, @JsonProperty("system_us") Sample system) {}

  /**
   * Memory in bytes.
   *
   * @param resident that it takes
   * @param virtual its address space
   */
  public record Memory(
      @JsonProperty("rss_bytes") Sample resident, @JsonProperty("virtual_bytes") Sample virtual) {}

  /**
   * Connections to PostgreSQL that carry messages.
   *
   * @param size how many there may be
   * @param idle how many are free
   * @param active how many are at work
   */
  public record Database(
      @JsonProperty("pool_size") Sample size,
      @JsonProperty("pool_idle") Sample idle,
      @JsonProperty("pool_active") Sample active) {}

  /**
   * Threads.
   *
   * @param db event loops
   * @param system threads of the process
   */
  public record Threadpool(Threads db, Threads system) {}

  /**
   * Threads of a kind.
   *
   * @param size how many there are
   * @param queue requests that wait for one
   */
  public record Threads(
      @JsonProperty("pool_size") Sample size, @JsonProperty("queue_size") Sample queue) {}

  /**
   * What waits.
   *
   * @param response polls that wait for messages
   */
  public record Registries(Sample response) {}

  /**
   * A measure over the samples of a point.
   *
   * @param avg the mean
   * @param min the least
   * @param max the most
   * @param last the newest
   */
  public record Sample(double avg, double min, double max, double last) {}
}
