package dev.queenmq.client.internal.consumer;

import java.time.Duration;

/**
 * The numbers of a consumer.
 *
 * @param concurrency lanes that are handled at the same time
 * @param maxPartitions lanes that one pop may bring
 * @param wholeBatches whether a handler gets all messages that a pop brought of a lane, or one
 * @param maxAcksPerCall dispositions in one call
 * @param firstPause after a first error
 * @param maxPause after many errors
 * @param renewFor how long a lease is renewed at most
 */
public record ConsumerLimits(
    int concurrency,
    int maxPartitions,
    boolean wholeBatches,
    int maxAcksPerCall,
    Duration firstPause,
    Duration maxPause,
    Duration renewFor) {}
