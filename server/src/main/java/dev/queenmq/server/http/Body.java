package dev.queenmq.server.http;

/** The first bytes of an array: the body of a request. */
final class Body {
  private final byte[] bytes;
  private final int length;

  Body(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Whether there is nothing in it but white space. */
  boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (bytes[i] > ' ' || bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }
}
