package dev.queenmq.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a message.
 *
 * @param type free text such as {@code info}, {@code step} or {@code error}
 * @param data anything that Jackson can write
 * @param names by which it can be found across messages, for example an order number
 */
public record TraceEvent(String type, @Nullable Object data, List<String> names) {

  /**
   * Copies the names.
   *
   * @param type free text
   * @param data anything that Jackson can write
   * @param names by which it can be found
   */
  public TraceEvent {
    names = List.copyOf(names);
  }

  /**
   * An event of type {@code info}.
   *
   * @param data anything that Jackson can write
   * @param names by which it can be found
   * @return the event
   */
  public static TraceEvent info(@Nullable Object data, String... names) {
    return new TraceEvent("info", data, List.of(names));
  }
}
