package dev.queenmq.server.encryption;

/** How a payload is stored, and what its queue demands of one that was stored when it was. */
public enum PayloadForm {
  /** As the producer sent it. */
  PLAIN,
  /** Sealed, perhaps in the older form that is bound to no message: it was stored before. */
  SEALED,
  /** Sealed, and stored when every sealed payload was bound to its message. */
  BOUND,
  /** Plain, though stored when its queue was encrypted: no broker has done that. */
  EXPOSED;

  private static final PayloadForm[] ALL = values();

  /** The form that {@code payload_form_v1} gives this number. */
  public static PayloadForm of(int code) {
    return ALL[code];
  }

  /** Whether the store says that it is sealed. */
  public boolean isSealed() {
    return this == SEALED || this == BOUND;
  }

  /** The form of a payload that is stored now. */
  public static PayloadForm now(boolean sealed) {
    return sealed ? BOUND : PLAIN;
  }
}
