package dev.queenmq.server.config;

/**
 * How many queues, partitions and groups there may be. 0 means any number.
 *
 * @param pushCreatesQueues whether a push to a queue that does not exist creates it
 * @param queues in all
 * @param partitions of all queues
 * @param groups subscriptions: pairs of a group and a queue, or one partition of it
 * @param tokenQueues that one token may create in an hour, through one broker
 * @param tokenPartitions the same for partitions
 * @param tokenGroups the same for subscriptions
 */
public record BoundsConfig(
    boolean pushCreatesQueues,
    int queues,
    int partitions,
    int groups,
    int tokenQueues,
    int tokenPartitions,
    int tokenGroups) {}
