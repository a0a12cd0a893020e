package dev.queenmq.bench.compare;

import dev.queenmq.bench.Statistics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Collects the figures of all rounds and makes a Markdown table of them. For one thread. */
final class ComparisonTable {
  private static final String HEADING =
      """
      | workload | system | on disk | messages/s | p50 ms | p99 ms | to this broker | in each round |
      |---|---|---|---|---|---|---|---|
      """;

  private final String reference;
  private final Map<String, OnDisk> systems = new LinkedHashMap<>();
  private final Map<Cell, Map<String, Map<Integer, Figures>>> figures = new EnumMap<>(Cell.class);

  /** One that compares with this system, if that is measured. */
  ComparisonTable(String reference) {
    this.reference = reference;
  }

  /** Systems appear in the order in which they are named first. */
  void system(String name, OnDisk onDisk) {
    systems.put(name, onDisk);
  }

  void add(Cell cell, String system, int round, Figures measured) {
    rounds(cell, system).put(round, measured);
  }

  private Map<Integer, Figures> rounds(Cell cell, String system) {
    return figures
        .computeIfAbsent(cell, none -> new LinkedHashMap<>())
        .computeIfAbsent(system, none -> new LinkedHashMap<>());
  }

  /** The table. Figures are the medians of the rounds. */
  String markdown() {
    StringBuilder text = new StringBuilder(HEADING);
    for (Cell cell : figures.keySet()) {
      systems.forEach(
          (system, onDisk) -> {
            List<Figures> measured = List.copyOf(rounds(cell, system).values());
            if (!measured.isEmpty()) {
              text.append(row(cell, system, onDisk, measured));
            }
          });
    }
    return text.toString();
  }

  private String row(Cell cell, String system, OnDisk onDisk, List<Figures> measured) {
    List<Double> ratios = ratios(cell, system);
    long errors = measured.stream().mapToLong(Figures::errors).sum();
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %,.0f | %.2f | %.2f | %s | %s%s |%n",
        cell.title(),
        system,
        onDisk.text(),
        median(measured, Figures::rate),
        median(measured, Figures::p50),
        median(measured, Figures::p99),
        ratios.isEmpty() ? "" : text(Statistics.median(ratios)),
        String.join(", ", ratios.stream().map(ComparisonTable::text).toList()),
        errors == 0 ? "" : " **" + errors + " errors**");
  }

  /** The ratios of the rounds in which both were measured. */
  private List<Double> ratios(Cell cell, String system) {
    Map<Integer, Figures> ours = rounds(cell, reference);
    List<Double> ratios = new ArrayList<>();
    rounds(cell, system)
        .forEach(
            (round, theirs) ->
                Optional.ofNullable(ours.get(round))
                    .ifPresent(each -> ratios.add(theirs.to(each, cell.latency()))));
    return ratios;
  }

  private static String text(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static double median(List<Figures> measured, ToDoubleFunction<Figures> figure) {
    return Statistics.median(measured.stream().mapToDouble(figure).boxed().toList());
  }
}
