package dev.queenmq.bench.audit.ledger;

import dev.queenmq.bench.broker.RefusedException;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;

/** Why a push had to be repeated though its producer cut nothing. */
public enum PushTrouble {
  PUT_OFF("answered 503 with Retry-After", false),
  DOWN_REFUSED("no connection to a broker that was down", false),
  DOWN_LOST("no answer from a broker that went down", false),
  UNTIMED("answered 503 without Retry-After", true),
  REFUSED("no connection to a broker that was up", true),
  LOST("no answer from a broker that was up", true),
  TIMED_OUT("no answer in time", true),
  OTHER("any other answer", true);

  /** How the text of such an answer begins. */
  public static final String UNAVAILABLE = "status 503";

  private final String text;
  private final boolean failure;

  PushTrouble(String text, boolean failure) {
    this.text = text;
    this.failure = failure;
  }

  /** The trouble as a text to read. */
  public String text() {
    return text;
  }

  /** Whether a well-behaved client would have to call it a failure. */
  public boolean isFailure() {
    return failure;
  }

  /**
   * What it was.
   *
   * @param toldWhen the answer said when to come back
   * @param up the audit had not taken the broker down
   */
  public static PushTrouble of(Throwable cause, boolean toldWhen, boolean up) {
    if (cause instanceof RefusedException) {
      boolean unavailable = String.valueOf(cause.getMessage()).startsWith(UNAVAILABLE);
      return !unavailable ? OTHER : toldWhen ? PUT_OFF : UNTIMED;
    } else if (cause instanceof TimeoutException) {
      return TIMED_OUT;
    } else if (cause instanceof ConnectException) {
      return up ? REFUSED : DOWN_REFUSED;
    } else {
      return up ? LOST : DOWN_LOST;
    }
  }
}
