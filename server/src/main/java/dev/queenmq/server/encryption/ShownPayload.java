package dev.queenmq.server.encryption;

import java.util.Optional;

/** A stored payload, as it is shown to operators. */
public sealed interface ShownPayload {

  /** The producer's JSON text. */
  record Plain(String json) implements ShownPayload {
    @Override
    public String toString() {
      return "Plain[" + json.length() + " characters]";
    }
  }

  /**
   * It is sealed, and cannot be opened here.
   *
   * @param error why; repeats nothing of it
   */
  record Unopened(String error) implements ShownPayload {}

  /** The JSON text; {@code null}, as JSON has it, for one that cannot be read. */
  default String json() {
    return this instanceof Plain plain ? plain.json : "null";
  }

  /** Why it cannot be read. */
  default Optional<String> problem() {
    return this instanceof Unopened unopened ? Optional.of(unopened.error) : Optional.empty();
  }
}
