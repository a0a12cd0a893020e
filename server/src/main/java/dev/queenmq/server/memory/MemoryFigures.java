package dev.queenmq.server.memory;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a {@link MemoryBudget}.
 *
 * @param capacity bytes that may be reserved
 * @param held bytes that are reserved, by purpose
 * @param refused reservations that found no room since the start, by purpose
 */
public record MemoryFigures(long capacity, Map<Purpose, Long> held, Map<Purpose, Long> refused) {

  /** Copies the maps. */
  public MemoryFigures {
    held = Collections.unmodifiableMap(new TreeMap<>(held));
    refused = Collections.unmodifiableMap(new TreeMap<>(refused));
  }

  /** Without a budget. */
  public static MemoryFigures none() {
    return new MemoryFigures(0, Map.of(), Map.of());
  }
}
