package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * From push to delivery, of a queue in a minute.
 *
 * @param minute when it begins
 * @param queue of the messages
 * @param deliveries that it was measured of
 * @param avgLagMs the mean
 * @param maxLagMs the longest
 */
public record QueueLatency(
    @JsonProperty("bucketTime") Instant minute,
    @JsonProperty("queueName") String queue,
    @JsonProperty("popCount") long deliveries,
    long avgLagMs,
    long maxLagMs) {}
