package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that brokers do in the background.
 *
 * @param name {@code retention}, {@code eviction}, {@code partitions}, {@code orphans}, {@code
 *     traces}, {@code dead-letters} or {@code history}
 * @param intervalMs milliseconds between two runs
 * @param running whether a broker does it now
 * @param holder which one
 * @param leaseExpiresAt until when others leave it to that one
 * @param startedAt of a run that is under way, or that waits for a broker to go on with it
 * @param nextDueAt when it is done next
 * @param runs the last ten, the newest first
 */
public record UpkeepJob(
    @JsonProperty("job") String name,
    long intervalMs,
    boolean running,
    @Nullable String holder,
    @Nullable Instant leaseExpiresAt,
    @Nullable Instant startedAt,
    @Nullable Instant nextDueAt,
    List<Run> runs) {

  /**
   * A run of the job.
   *
   * @param startedAt when it began
   * @param tookMs how long it took
   * @param holder the broker that did it
   * @param removed how much it removed
   * @param queues from which queues and by which rules
   * @param error why it failed; null if it did not
   */
  public record Run(
      Instant startedAt,
      long tookMs,
      String holder,
      long removed,
      List<Removed> queues,
      @Nullable String error) {}

  /**
   * What a run removed from a queue.
   *
   * @param queue its name; null if the rule is about no queue
   * @param rule by which it was removed
   * @param removed how much
   */
  public record Removed(@Nullable String queue, String rule, long removed) {}
}
