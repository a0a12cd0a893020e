package dev.queenmq.bench.retention;

import dev.queenmq.bench.broker.PopMessage;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What one group got: of each partition every number once. Belongs to one event loop, but for the
 * counts.
 */
final class Received {
  private final Map<String, BitSet> numbers = new HashMap<>();
  private final LongAdder messages = new LongAdder();
  private final LongAdder repeated = new LongAdder();

  void got(List<PopMessage> batch) {
    for (PopMessage message : batch) {
      BitSet seen = numbers.computeIfAbsent(message.partition(), partition -> new BitSet());
      int number = Math.toIntExact(message.number());
      if (seen.get(number)) {
        repeated.increment();
      } else {
        seen.set(number);
        messages.increment();
      }
    }
  }

  /** Different ones. */
  long messages() {
    return messages.sum();
  }

  /** Those that came again. */
  long repeated() {
    return repeated.sum();
  }
}
