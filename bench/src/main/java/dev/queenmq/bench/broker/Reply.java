package dev.queenmq.bench.broker;

import io.vertx.core.buffer.Buffer;

/**
 * What a broker answered.
 *
 * @param retryAfter when to come back, as the answer says it; empty if it does not
 */
public record Reply(int status, Buffer body, String retryAfter) {
  private static final int EXCERPT = 200;

  /** Whether the status says so. */
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** This, or an exception that quotes it. */
  public Reply orThrow() {
    if (!isSuccess()) {
      throw new RefusedException(toString());
    }
    return this;
  }

  @Override
  public String toString() {
    String text = body.getString(0, Math.min(EXCERPT, body.length()));
    return "status " + status + ": " + text;
  }
}
