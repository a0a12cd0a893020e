package dev.queenmq.server.metrics;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * What a broker did in a minute, as it is written down.
 *
 * @param minute when it began, by PostgreSQL's clock
 * @param totals since the broker started
 * @param queues names
 * @param queueCounts for each of them the same number of figures, one queue after the other
 * @param workers event loops
 * @param workerCounts likewise for each of them
 * @param workerDelays for each of them the sum and the maximum, in milliseconds
 * @param sharedState what the broker knew of others at the end
 */
public record MinuteReport(
    Instant minute,
    List<Long> totals,
    List<String> queues,
    List<Long> queueCounts,
    int workers,
    List<Long> workerCounts,
    List<Double> workerDelays,
    ProcessTaken process,
    JsonObject sharedState) {

  /**
   * What its process took: one number for each {@link SystemMeasure}.
   *
   * @param samples looks that are summed up
   */
  public record ProcessTaken(
      long samples, List<Double> sums, List<Double> lows, List<Double> highs, List<Double> last) {}
}
