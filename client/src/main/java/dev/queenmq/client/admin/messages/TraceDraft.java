package dev.queenmq.client.admin.messages;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trace to record.
 *
 * @param partitionId of the message
 * @param transactionId of the message
 * @param data anything that Jackson can write; up to 256 KiB of JSON
 * @param consumerGroup that it speaks for; null for consumers without a group
 * @param eventType its kind; null for {@code info}
 * @param traceNames under which it is to be found; up to 32
 */
public record TraceDraft(
    UUID partitionId,
    String transactionId,
    Object data,
    @Nullable String consumerGroup,
    @Nullable String eventType,
    List<String> traceNames) {

  /**
   * Copies the list.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param data anything that Jackson can write
   * @param consumerGroup that it speaks for
   * @param eventType its kind
   * @param traceNames under which it is to be found
   */
  public TraceDraft {
    traceNames = List.copyOf(traceNames);
  }

  /**
   * A trace of the kind {@code info} under no name.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param data anything that Jackson can write
   * @return the trace
   */
  public static TraceDraft of(UUID partitionId, String transactionId, Object data) {
    return new TraceDraft(partitionId, transactionId, data, null, null, List.of());
  }

  /**
   * The same of another kind.
   *
   * @param type the kind
   * @return a changed copy
   */
  public TraceDraft eventType(String type) {
    return new TraceDraft(partitionId, transactionId, data, consumerGroup, type, traceNames);
  }

  /**
   * The same for a group.
   *
   * @param name of the group
   * @return a changed copy
   */
  public TraceDraft consumerGroup(String name) {
    return new TraceDraft(partitionId, transactionId, data, name, eventType, traceNames);
  }

  /**
   * The same under these names.
   *
   * @param names under which it is to be found
   * @return a changed copy
   */
  public TraceDraft names(String... names) {
    return new TraceDraft(
        partitionId, transactionId, data, consumerGroup, eventType, List.of(names));
  }
}
