package dev.queenmq.server.broker;

import dev.queenmq.server.model.StoreException;

/** A call that was not carried out. The text names no SQL and no secret. */
public final class BrokerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** An exception with a text for the client. */
  public BrokerException(Kind kind, String text) {
    super(text, null, false, false);
    this.kind = kind;
  }

  /** What the store says, for clients. */
  public static BrokerException of(StoreException failure) {
    return new BrokerException(
        failure.kind() == StoreException.Kind.INTERNAL ? Kind.INTERNAL : Kind.UNAVAILABLE,
        String.valueOf(failure.getMessage()));
  }

  /** What a client can do about it. */
  public Kind kind() {
    return kind;
  }

  /** Kinds of failure. */
  public enum Kind {
    /** Too much is pending: come back in a moment. Nothing happened. */
    OVERLOADED,
    /** PostgreSQL cannot be reached: it may or may not have happened. */
    UNAVAILABLE,
    /** The broker stops. Nothing happened. */
    STOPPING,
    /** A defect of ours. */
    INTERNAL
  }
}
