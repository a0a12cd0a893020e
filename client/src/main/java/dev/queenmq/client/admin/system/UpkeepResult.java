package dev.queenmq.client.admin.system;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job that was asked for.
 *
 * @param job its name
 * @param state {@code done}, or {@code running} if it takes longer
 * @param startedAt when it began; null while it runs, like all that follow
 * @param tookMs how long it took
 * @param removed how much it removed
 */
public record UpkeepResult(
    String job,
    String state,
    @Nullable Instant startedAt,
    @Nullable Long tookMs,
    @Nullable Long removed) {

  /**
   * Whether the job has ended.
   *
   * @return false if it still runs
   */
  public boolean isDone() {
    return state.equals("done");
  }
}
