package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PopRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A poll that a push is going to serve: the commit that stores messages leases them to the poll's
 * group. Until the push is answered the poll is not asked for otherwise, or for {@value
 * #LIMIT_MILLIS} ms: a push may wait for a lock, and other partitions may have messages.
 */
public final class Claim {
  static final long LIMIT_MILLIS = 100;

  final Question question;
  final Ask ask;

  /** When the poll is let go; null: it has been. */
  @Nullable Alarm limit;

  Claim(Question question, Ask ask) {
    this.question = question;
    this.ask = ask;
  }

  /** What the poll wants. */
  public PopRequest request() {
    return ask.request();
  }

  /** The one partition that it is about. */
  UUID partitionId() {
    return ask.candidates().get(0);
  }
}
