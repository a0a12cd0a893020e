package dev.queenmq.client.admin.messages;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A name under which traces are found.
 *
 * @param name the name
 * @param traces how many have it
 * @param messages how many messages these are about
 * @param lastSeen when the latest was recorded
 */
public record TraceName(
    @JsonProperty("trace_name") String name,
    @JsonProperty("trace_count") long traces,
    @JsonProperty("message_count") long messages,
    @JsonProperty("last_seen") Instant lastSeen) {}
