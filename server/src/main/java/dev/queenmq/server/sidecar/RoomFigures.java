package dev.queenmq.server.sidecar;

/**
 * How it goes in a waiting room, as of the last look.
 *
 * @param groups that somebody waits in
 * @param backedOff of them, looked at less often
 * @param intervalMillis of all of them together
 */
record RoomFigures(int groups, int backedOff, long intervalMillis) {}
