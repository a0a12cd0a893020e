package dev.queenmq.server.store.upkeep;

import java.util.List;
import java.util.Map;

/**
 * What a step of upkeep did, in one transaction.
 *
 * @param removed how many messages, or rows of what the job is about
 * @param partitions that are gone, by queue
 */
public record UpkeepStep(State state, long removed, Map<String, List<String>> partitions) {

  /** How to go on. */
  public enum State {
    /** There may be more to do: another step is needed. */
    MORE,
    /** The run is complete. */
    DONE,
    /** Another broker has taken the job over; nothing was done. */
    LOST
  }
}
