package dev.queenmq.client.admin.streams;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which state of a query to read. A row must pass all conditions that are not null.
 *
 * @param queryId of the query
 * @param partitionId of the partition that the state belongs to
 * @param keys one of these
 * @param keyPrefix what the key starts with
 * @param ripeAtOrBefore the value is an object with a number {@code windowEnd} up to this
 * @param limit at most this many rows; null for all, which a broker refuses if it is too much
 * @param after behind this key
 */
public record StreamStateFilter(
    @JsonProperty("query_id") UUID queryId,
    @JsonProperty("partition_id") UUID partitionId,
    @Nullable List<String> keys,
    @JsonProperty("key_prefix") @Nullable String keyPrefix,
    @JsonProperty("ripe_at_or_before") @Nullable Long ripeAtOrBefore,
    @Nullable Integer limit,
    @Nullable String after) {

  /**
   * All state of a query in a partition.
   *
   * @param queryId of the query
   * @param partitionId of the partition
   * @return the filter
   */
  public static StreamStateFilter all(UUID queryId, UUID partitionId) {
    return new StreamStateFilter(queryId, partitionId, null, null, null, null, null);
  }

  /**
   * Only these keys.
   *
   * @param wanted the keys
   * @return a changed copy
   */
  public StreamStateFilter keys(List<String> wanted) {
    return new StreamStateFilter(
        queryId, partitionId, List.copyOf(wanted), keyPrefix, ripeAtOrBefore, limit, after);
  }

  /**
   * Only keys that start with this text.
   *
   * @param prefix the text
   * @return a changed copy
   */
  public StreamStateFilter keyPrefix(String prefix) {
    return new StreamStateFilter(queryId, partitionId, keys, prefix, ripeAtOrBefore, limit, after);
  }

  /**
   * Only windows that have ended.
   *
   * @param moment up to which they have
   * @return a changed copy
   */
  public StreamStateFilter ripeAtOrBefore(long moment) {
    return new StreamStateFilter(queryId, partitionId, keys, keyPrefix, moment, limit, after);
  }

  /**
   * A page behind a key; an empty text is before all keys.
   *
   * @param most how many rows
   * @param key to continue behind
   * @return a changed copy
   */
  public StreamStateFilter page(int most, String key) {
    return new StreamStateFilter(
        queryId, partitionId, keys, keyPrefix, ripeAtOrBefore, most, key.isEmpty() ? null : key);
  }
}
