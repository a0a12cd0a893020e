package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.Subscription;
import java.time.Duration;

/**
 * A consumer asking for messages.
 *
 * @param batch at most so many messages, over all partitions
 * @param maxPartitions at most so many partitions
 * @param autoAck the messages are done as soon as they are handed out; no lease
 * @param subscription where the group starts, if this is its first contact
 * @param patience how long to wait for messages; zero: one look
 */
public record PollRequest(
    PollTarget target,
    String group,
    int batch,
    int maxPartitions,
    boolean autoAck,
    Subscription subscription,
    Duration patience) {}
