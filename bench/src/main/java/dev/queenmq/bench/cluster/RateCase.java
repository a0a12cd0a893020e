package dev.queenmq.bench.cluster;

import java.util.List;

/**
 * What a single consumer finds and how much of it a pop takes.
 *
 * @param partitions of its queue, with the same number of messages each
 * @param batch the most messages of one pop
 */
record RateCase(int partitions, int batch) {
  /** All that are measured. */
  static final List<RateCase> ALL =
      List.of(new RateCase(1, 1), new RateCase(1, 10), new RateCase(20, 1), new RateCase(20, 10));

  /** The name of the case as an option of the command. */
  String option() {
    return partitions + "x" + batch;
  }

  /** The case as a text to read. */
  String text() {
    return partitions + (partitions == 1 ? " partition" : " partitions") + ", batch " + batch;
  }
}
