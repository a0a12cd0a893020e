package dev.queenmq.bench.torture;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What became of one fault.
 *
 * @param number counted from 1 over the whole run
 * @param heldSeconds how long it lasted
 * @param recoverySeconds from the moment at which it began to be healed until messages went through
 *     all brokers; empty if they never did
 * @param before messages a second before it
 * @param after and the settling time after it was healed
 */
record Cycle(
    int number,
    String fault,
    double heldSeconds,
    OptionalDouble recoverySeconds,
    double before,
    double after) {

  /** The rate after it as a share of the rate before; empty where there was none before. */
  OptionalDouble share() {
    return before > 0 ? OptionalDouble.of(after / before) : OptionalDouble.empty();
  }

  JsonObject json() {
    return new JsonObject()
        .put("number", number)
        .put("fault", fault)
        .put("held", heldSeconds)
        .put("recovery", recoverySeconds.orElse(-1))
        .put("before", before)
        .put("after", after);
  }

  @Override
  public String toString() {
    String back =
        recoverySeconds.isPresent()
            ? String.format(Locale.ROOT, "%.2f", recoverySeconds.getAsDouble())
            : "-";
    return String.format(
        Locale.ROOT,
        "%3d %-20s held %5.1f s, back after %s s, %.0f/s before, %.0f/s after",
        number,
        fault,
        heldSeconds,
        back,
        before,
        after);
  }
}
