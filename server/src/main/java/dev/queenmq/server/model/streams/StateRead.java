package dev.queenmq.server.model.streams;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;

/**
 * A question for the state of a query in a partition; what is given of the filters must all hold.
 *
 * @param keys one of these; any if there are none
 * @param prefix what the key starts with, to the letter
 * @param ripeAt the value has a window that ended at this moment or before
 * @param after only keys behind this one
 * @param limit rows at most
 * @param bytes of values at most, but at least one row
 */
public record StateRead(
    UUID queryId,
    UUID partitionId,
    List<String> keys,
    Optional<String> prefix,
    OptionalDouble ripeAt,
    Optional<String> after,
    int limit,
    long bytes) {
  public StateRead {
    keys = List.copyOf(keys);
  }

  /** The same with another limit on the bytes of values. */
  public StateRead within(long most) {
    return new StateRead(
        queryId, partitionId, keys, prefix, ripeAt, after, limit, Math.min(bytes, most));
  }
}
