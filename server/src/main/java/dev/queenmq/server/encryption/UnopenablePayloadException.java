package dev.queenmq.server.encryption;

/** A stored payload that cannot be opened. The text repeats nothing of it. */
public final class UnopenablePayloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  UnopenablePayloadException(Reason reason, String text) {
    super(text, null, false, false);
    this.reason = reason;
  }

  /** What is wrong. */
  public Reason reason() {
    return reason;
  }

  /** What an operator has to look at. */
  public enum Reason {
    /** None of the keys given is the one that sealed it: the configuration lacks a key. */
    UNKNOWN_KEY,
    /** It names a key that is given, but was changed since it was sealed. */
    TAMPERED,
    /** It is not in the stored form. */
    MALFORMED
  }
}
