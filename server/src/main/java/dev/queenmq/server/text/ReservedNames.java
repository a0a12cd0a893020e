package dev.queenmq.server.text;

/** Names that the broker gives itself, and that clients may not give. */
public final class ReservedNames {
  /** A queue that was deleted is called this and its id until its messages are removed. */
  public static final String DELETED_QUEUE = "#deleted-";

  private ReservedNames() {}

  /** Whether no client may call a queue so. */
  public static boolean isReservedQueue(String name) {
    return name.startsWith(DELETED_QUEUE);
  }
}
