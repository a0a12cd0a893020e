package dev.queenmq.client.internal;

/**
 * Where a text stands in a {@link JsonText}. If the next text of its kind is the same, as the lease
 * of messages of one pop is, its bytes are copied from there.
 */
public final class WrittenText {
  private String text = "";
  private int from;
  private int end;

  /** Of no text yet. Good for one {@link JsonText}. */
  public WrittenText() {}

  void set(String written, int begin, int until) {
    text = written;
    from = begin;
    end = until;
  }

  boolean is(String other) {
    return end > 0 && text.equals(other);
  }

  int from() {
    return from;
  }

  int length() {
    return end - from;
  }
}
