package dev.queenmq.server.spool.log;

/**
 * What a spool holds, and what it has done since it was opened.
 *
 * @param pending entries that are not settled yet
 * @param bytes of the files that hold them
 * @param queuedBytes on their way to the disk
 * @param appended entries, since it was opened
 * @param settled entries, dead ones among them, since it was opened
 * @param dead entries in the dead file
 * @param deadBytes of the dead file
 * @param damaged records that could not be read, since it was opened
 * @param full appends that were refused for want of room, since it was opened
 * @param failed appends that the disk failed, since it was opened
 * @param syncs of messages to the disk, since it was opened
 * @param syncNanos that these took together
 */
public record SpoolFigures(
    long pending,
    long bytes,
    long queuedBytes,
    long appended,
    long settled,
    long dead,
    long deadBytes,
    long damaged,
    long full,
    long failed,
    long syncs,
    long syncNanos) {}
