package dev.queenmq.bench.compare;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is measured.
 *
 * @param systems by name, in their usual order
 */
record Selection(Set<String> systems, Set<Cell> cells) {

  /**
   * Reads names of systems and of cells in any order.
   *
   * @param only without a system among them all systems are meant, without a cell all cells
   * @throws IllegalArgumentException if a name is neither
   */
  static Selection of(List<String> only, List<String> systems) {
    Set<String> chosen = new LinkedHashSet<>();
    Set<Cell> cells = EnumSet.noneOf(Cell.class);
    for (String name : only) {
      List<Cell> named = Arrays.stream(Cell.values()).filter(c -> c.id().equals(name)).toList();
      if (systems.contains(name)) {
        chosen.add(name);
      } else if (!named.isEmpty()) {
        cells.addAll(named);
      } else {
        throw new IllegalArgumentException(
            "'%s' is neither a system (%s) nor a workload (%s)"
                .formatted(
                    name,
                    String.join(", ", systems),
                    String.join(", ", Arrays.stream(Cell.values()).map(Cell::id).toList())));
      }
    }
    Set<String> ordered = new LinkedHashSet<>(systems);
    if (!chosen.isEmpty()) {
      ordered.retainAll(chosen);
    }
    return new Selection(ordered, cells.isEmpty() ? EnumSet.allOf(Cell.class) : cells);
  }
}
