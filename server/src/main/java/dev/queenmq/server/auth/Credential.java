package dev.queenmq.server.auth;

import java.time.Duration;
import java.time.Instant;

/**
 * A token that was found to be good.
 *
 * @param from when it begins
 * @param until when it ends
 */
record Credential(Caller caller, Instant from, Instant until) {

  /** Throws a {@link AuthException} unless it is good now. */
  void checkTime(Instant now, Duration skew) {
    if (!now.minus(skew).isBefore(until)) {
      throw AuthException.invalid("Token has expired");
    }
    if (now.plus(skew).isBefore(from)) {
      throw AuthException.invalid("Token is not valid yet");
    }
  }
}
