package dev.queenmq.client.internal;

import java.nio.charset.StandardCharsets;

/**
 * The name of a field that is written with each message, ready to be copied: with its quotes and
 * the colon behind it.
 */
public final class FieldName {
  private final byte[] json;

  /** A name of ASCII letters, which stand in JSON as they are. */
  public FieldName(String name) {
    json = ('"' + name + "\":").getBytes(StandardCharsets.US_ASCII);
  }

  byte[] json() {
    return json;
  }
}
