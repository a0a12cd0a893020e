package dev.queenmq.client.admin.queues;

/**
 * How many messages are in which state. With several groups each number of a partition is that of
 * the group for which it is worst; those of a queue are sums over partitions.
 *
 * @param total ever pushed
 * @param pending stored and not done, leased ones among them; in the list of queues without them
 * @param processing leased and not done
 * @param completed neither pending nor dead; 0 where the broker does not report it
 * @param failed 0 where the broker does not report it
 * @param deadLetter given up; 0 where the broker does not report it
 */
public record MessageCounts(
    long total, long pending, long processing, long completed, long failed, long deadLetter) {}
