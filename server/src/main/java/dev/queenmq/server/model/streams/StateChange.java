package dev.queenmq.server.model.streams;

import java.util.OptionalDouble;

/** A change of one key of a stream's state. */
public sealed interface StateChange {

  /** Where. */
  String key();

  /**
   * Sets it.
   *
   * @param value JSON, kept byte for byte
   * @param windowEnd the number of that name in the value, if it has one
   */
  record Put(String key, String value, OptionalDouble windowEnd) implements StateChange {}

  /** Removes it. */
  record Remove(String key) implements StateChange {}
}
