package dev.queenmq.server.sidecar;

import java.util.Collection;

/**
 * How it goes in a waiting room, as of the last look.
 *
 * @param groups that somebody waits in
 * @param backedOff of them, looked at less often
 * @param backedOffQueues that these are of
 * @param intervalMillis of all of them together
 * @param shortestMillis the shortest interval of a group
 */
record RoomFigures(
    int groups, int backedOff, int backedOffQueues, long intervalMillis, int shortestMillis) {

  static final RoomFigures NONE = new RoomFigures(0, 0, 0, 0, Integer.MAX_VALUE);

  static RoomFigures of(Collection<QueueRoom> rooms) {
    int groups = 0;
    int slow = 0;
    int slowQueues = 0;
    long intervals = 0;
    int shortest = Integer.MAX_VALUE;
    for (QueueRoom room : rooms) {
      int slowHere = 0;
      for (WaitGroup group : room.groups()) {
        if (!group.waiters.isEmpty()) {
          groups++;
          slowHere += group.backoff.backedOff() ? 1 : 0;
          shortest = Math.min(shortest, group.backoff.intervalMillis());
          intervals += group.backoff.intervalMillis();
        }
      }
      slow += slowHere;
      slowQueues += slowHere > 0 ? 1 : 0;
    }
    return new RoomFigures(groups, slow, slowQueues, intervals, shortest);
  }
}
