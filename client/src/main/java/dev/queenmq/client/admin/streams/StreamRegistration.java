package dev.queenmq.client.admin.streams;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.UUID;

/**
 * A query that was registered.
 *
 * @param queryId names it in cycles and in questions for its state
 * @param name under which it is known
 * @param configHash that it has now
 * @param fresh whether it is new
 * @param reset whether its state was dropped
 */
public record StreamRegistration(
    @JsonProperty("query_id") UUID queryId,
    String name,
    @JsonProperty("config_hash") String configHash,
    boolean fresh,
    boolean reset) {}
