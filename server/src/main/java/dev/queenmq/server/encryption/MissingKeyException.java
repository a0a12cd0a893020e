package dev.queenmq.server.encryption;

/** A payload was to be sealed, but there is no key to do it with. */
public final class MissingKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The text for callers. */
  public static final String TEXT = "encryption key not configured";

  MissingKeyException() {
    super(TEXT, null, false, false);
  }
}
