package dev.queenmq.client.admin.streams;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a query.
 *
 * @param rows by key
 * @param next the key to continue behind, if there is more than the limit
 */
public record StreamState(List<Row> rows, @Nullable String next) {

  /**
   * A value and its key.
   *
   * @param key of the value
   * @param value any JSON
   * @param updatedAt when it was set
   */
  public record Row(String key, JsonNode value, @JsonProperty("updated_at") Instant updatedAt) {}
}
