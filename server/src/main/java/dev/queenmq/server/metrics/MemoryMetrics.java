package dev.queenmq.server.metrics;

import dev.queenmq.server.memory.MemoryFigures;

/** The memory that requests hold, as series. */
final class MemoryMetrics {
  private MemoryMetrics() {}

  static void write(PrometheusText text, MemoryFigures memory) {
    text.gauge("queen_memory_budget_bytes", "Heap that requests may hold at the same time.")
        .sample(memory.capacity());
    if (memory.held().isEmpty()) {
      return;
    }
    text.gauge("queen_memory_held_bytes", "Heap that requests hold, by what it is for.");
    memory.held().forEach((purpose, bytes) -> text.sample("purpose", purpose.label(), bytes));
    text.counter(
        "queen_memory_refusals_total",
        "Times that there was no memory: requests are answered 503, pops wait.");
    memory.refused().forEach((purpose, count) -> text.sample("purpose", purpose.label(), count));
  }
}
