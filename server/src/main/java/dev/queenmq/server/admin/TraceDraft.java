package dev.queenmq.server.admin;

import java.util.List;
import java.util.UUID;

/**
 * A trace that is to be recorded.
 *
 * @param data JSON
 * @param names distinct
 */
public record TraceDraft(
    UUID partitionId,
    String transactionId,
    String group,
    String eventType,
    String data,
    List<String> names) {

  /** Without the data, which belongs in no log. */
  @Override
  public String toString() {
    return "TraceDraft[%s/%s, %s]".formatted(partitionId, transactionId, eventType);
  }
}
