package dev.queenmq.server.http.json;

/** The first bytes of an array: the body of a request. */
public final class Body {
  private final byte[] bytes;
  private final int length;

  public Body(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Whether there is nothing in it but white space. */
  public boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (bytes[i] > ' ' || bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }
}
