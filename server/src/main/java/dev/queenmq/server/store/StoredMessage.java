package dev.queenmq.server.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as a consumer gets it. */
public record StoredMessage(
    long offset,
    UUID id,
    String transactionId,
    String payload,
    @Nullable UUID traceId,
    @Nullable String producerSub,
    boolean encrypted,
    Instant createdAt) {}
