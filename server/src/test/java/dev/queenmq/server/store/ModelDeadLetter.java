package dev.queenmq.server.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A dead letter, as the model expects it and as the table holds it. */
record ModelDeadLetter(
    Key key,
    Message message,
    Instant createdAt,
    @Nullable String error,
    int retryCount,
    Instant failedAt) {

  /** Of which message, for whom. */
  record Key(String queue, String partition, String group, long offset) {}
}
