package dev.queenmq.server.spool;

import dev.queenmq.server.model.Message;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that are on their way to PostgreSQL. The more there are, the longer an answer may take
 * before it is late: a push waits for those before it. Safe for any thread.
 */
final class PushLoad {
  /** The rate of a slow disk. */
  private static final long BYTES_PER_SECOND = 2L << 20;

  /** Less is within the accuracy of the deadlines. */
  private static final long LEAST_MILLIS = 100;

  private static final long MOST_MILLIS = 60_000;

  private final AtomicLong bytes = new AtomicLong();

  /** Counts these messages until there is an answer. */
  <T> Future<T> count(List<Message> messages, Future<T> stored) {
    long size = 0;
    for (Message message : messages) {
      size += message.payload().length();
    }
    long added = size;
    bytes.addAndGet(added);
    return stored.onComplete(done -> bytes.addAndGet(-added));
  }

  /** How long to wait for an answer, given how long one may wait for that of a small push. */
  Duration patience(Duration small) {
    long extra = TimeUnit.SECONDS.toMillis(bytes.get()) / BYTES_PER_SECOND;
    return extra < LEAST_MILLIS ? small : small.plusMillis(Math.min(extra, MOST_MILLIS));
  }
}
