package dev.queenmq.server.upkeep;

import java.util.List;

/**
 * What this broker has done for upkeep since its start.
 *
 * @param resealed how many messages and dead letters were sealed again
 * @param unopened how many could not be opened for that, in all passes
 */
public record UpkeepFigures(List<JobFigures> jobs, long resealed, long unopened) {

  /**
   * Of one job.
   *
   * @param removed how many messages, or rows of what the job is about
   * @param succeeded runs that this broker has completed
   * @param failed runs that this broker could not complete
   */
  public record JobFigures(UpkeepJob job, long removed, long succeeded, long failed) {}

  /** Nothing was done. */
  public static UpkeepFigures none() {
    return new UpkeepFigures(List.of(), 0, 0);
  }
}
