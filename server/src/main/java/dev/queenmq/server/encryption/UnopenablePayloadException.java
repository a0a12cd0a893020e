package dev.queenmq.server.encryption;

/** A stored payload that cannot be opened. The text repeats nothing of it. */
public final class UnopenablePayloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  UnopenablePayloadException(Reason reason, String text) {
    super(text, null, false, false);
    this.reason = reason;
  }

  static UnopenablePayloadException exposed() {
    return new UnopenablePayloadException(
        Reason.EXPOSED,
        "The stored payload is not encrypted, though its queue was when the message was stored");
  }

  /** What is wrong. */
  public Reason reason() {
    return reason;
  }

  /** What an operator has to look at. */
  public enum Reason {
    /** None of the keys given is the one that sealed it: the configuration lacks a key. */
    UNKNOWN_KEY,
    /** It names a key that is given, but was changed since, or sealed for another message. */
    TAMPERED,
    /** It is in the older form, which is bound to no message, and was stored too late for that. */
    UNBOUND,
    /** It is not sealed, though its queue was encrypted when it was stored. */
    EXPOSED,
    /** It is not in the stored form. */
    MALFORMED
  }
}
