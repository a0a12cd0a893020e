package dev.queenmq.server.model;

import dev.queenmq.server.encryption.PayloadForm;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer gets it.
 *
 * @param payload the producer's JSON text
 * @param form how the store has it
 * @param attempt how often it was delivered to the group, this time included
 */
public record StoredMessage(
    long offset,
    UUID id,
    String transactionId,
    String payload,
    @Nullable UUID traceId,
    @Nullable String producerSub,
    PayloadForm form,
    Instant createdAt,
    int attempt) {
  /** Bytes that a message takes in an answer beside its payload, as {@code fitting_v1} counts. */
  public static final int FIELDS_BYTES = 512;

  /** The same, delivered for the first time. */
  public StoredMessage(
      long offset,
      UUID id,
      String transactionId,
      String payload,
      @Nullable UUID traceId,
      @Nullable String producerSub,
      boolean encrypted,
      Instant createdAt) {
    this(
        offset,
        id,
        transactionId,
        payload,
        traceId,
        producerSub,
        PayloadForm.now(encrypted),
        createdAt,
        1);
  }

  /** Whether the store has it sealed. */
  public boolean encrypted() {
    return form.isSealed();
  }

  /** The same with what its payload says. */
  public StoredMessage opened(String text) {
    return new StoredMessage(
        offset, id, transactionId, text, traceId, producerSub, form, createdAt, attempt);
  }

  /** Without the payload, which belongs in no log. */
  @Override
  public String toString() {
    return "StoredMessage[offset=%d, id=%s, transactionId=%s]".formatted(offset, id, transactionId);
  }
}
