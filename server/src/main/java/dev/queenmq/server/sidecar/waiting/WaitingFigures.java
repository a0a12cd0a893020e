package dev.queenmq.server.sidecar.waiting;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The figures of a waiting room.
 *
 * @param groups with waiting polls
 * @param inFlight of them, those for which the store is being asked
 * @param backedOff of them, looked at less often
 * @param backedOffQueues that these are of
 * @param intervalMillis of all of them together
 * @param shortestMillis the shortest interval of a group
 */
public record WaitingFigures(
    int groups,
    int inFlight,
    int backedOff,
    int backedOffQueues,
    long intervalMillis,
    int shortestMillis) {

  /** The figures of an empty room. */
  public static final WaitingFigures NONE = new WaitingFigures(0, 0, 0, 0, 0, Integer.MAX_VALUE);

  static WaitingFigures of(Collection<WaitGroup> groups) {
    int inFlight = 0;
    int slow = 0;
    long intervals = 0;
    int shortest = Integer.MAX_VALUE;
    Set<String> slowQueues = new HashSet<>();
    for (WaitGroup group : groups) {
      inFlight += group.state == GroupState.IDLE ? 0 : 1;
      if (group.backoff.backedOff()) {
        slow++;
        slowQueues.add(group.queue);
      }
      intervals += group.backoff.intervalMillis();
      shortest = Math.min(shortest, group.backoff.intervalMillis());
    }
    return new WaitingFigures(
        groups.size(), inFlight, slow, slowQueues.size(), intervals, shortest);
  }
}
