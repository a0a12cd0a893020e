package dev.queenmq.bench.torture;

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
}
