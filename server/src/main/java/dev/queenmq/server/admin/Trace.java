package dev.queenmq.server.admin;

import dev.queenmq.server.encryption.PayloadForm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a consumer noted about a message.
 *
 * @param data JSON, as it was sent
 * @param message what it is about, where that was asked for
 */
public record Trace(
    UUID id,
    String eventType,
    String data,
    String group,
    String workerId,
    Instant createdAt,
    List<String> names,
    Optional<TracedMessage> message) {

  /** Without the data, which belongs in no log. */
  @Override
  public String toString() {
    return "Trace[%s, %s]".formatted(id, eventType);
  }

  /**
   * The message of a trace.
   *
   * @param payload as it is stored; absent if the message has just gone
   */
  public record TracedMessage(
      UUID partitionId,
      String transactionId,
      String queue,
      String partition,
      Optional<StoredPayload> payload) {}

  /** A payload as it lies in the store. */
  public record StoredPayload(String text, PayloadForm form, UUID messageId) {

    @Override
    public String toString() {
      return "StoredPayload[%d characters]".formatted(text.length());
    }
  }
}
