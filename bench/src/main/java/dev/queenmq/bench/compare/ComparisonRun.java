package dev.queenmq.bench.compare;

import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.http.Result;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts systems and measures them in turn: one workload on all of them, then the next, and each
 * round begins with another system. So what else the machine does hits all of them alike. All run
 * until the end; those that are not measured have nothing to do. For one thread.
 */
final class ComparisonRun {
  private final Set<Cell> cells;
  private final int rounds;
  private final boolean warmUp;
  private final double endToEndRate;
  private final JsonLines json;
  private final PrintWriter progress;
  private final ComparisonTable table = new ComparisonTable(HttpSystem.QUEEN);
  private final Map<String, RunningSystem> running = new LinkedHashMap<>();
  private final Map<String, OnDisk> onDisk = new LinkedHashMap<>();
  private final Map<String, String> versions = new LinkedHashMap<>();
  private final Map<String, Double> fastest = new HashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private long began;
  private int done;

  ComparisonRun(
      Set<Cell> cells,
      int rounds,
      boolean warmUp,
      double endToEndRate,
      JsonLines json,
      PrintWriter progress) {
    this.cells = cells;
    this.rounds = rounds;
    this.warmUp = warmUp;
    this.endToEndRate = endToEndRate;
    this.json = json;
    this.progress = progress;
  }

  ComparisonTable table() {
    return table;
  }

  /** The versions of all that were measured, by name; empty where it is not known. */
  Map<String, String> versions() {
    return versions;
  }

  /** The lines of JSON, one for each measurement. */
  List<String> lines() {
    return lines;
  }

  /** What is not installed here. */
  List<String> skipped() {
    return skipped;
  }

  /** What should have worked. */
  List<String> failures() {
    return failures;
  }

  void measure(List<SystemUnderTest> systems, StartOptions options) {
    try {
      systems.forEach(system -> start(system, options));
      began = System.nanoTime();
      for (int round = warmUp ? 0 : 1; round <= rounds; round++) {
        for (Cell cell : cells) {
          List<String> names = List.copyOf(running.keySet());
          for (int turn = 0; turn < names.size(); turn++) {
            measure(cell, names.get((round + turn) % names.size()), round);
          }
        }
      }
    } finally {
      running.forEach((name, system) -> stop(name, system));
    }
  }

  private void start(SystemUnderTest system, StartOptions options) {
    String name = system.name();
    Optional<String> missing = system.missing();
    if (missing.isPresent()) {
      skipped.add(name + ": skipped: " + missing.get());
      say(skipped.get(skipped.size() - 1));
      return;
    }
    say("starting " + name);
    try {
      RunningSystem started = system.start(options);
      running.put(name, started);
      versions.put(name, started.version());
      onDisk.put(name, system.onDisk());
      table.system(name, system.onDisk());
    } catch (RuntimeException e) {
      failed(name + " did not start", e);
    }
  }

  private void stop(String name, RunningSystem system) {
    try {
      system.close();
    } catch (RuntimeException e) {
      failed(name + " did not stop", e);
    }
  }

  private void measure(Cell cell, String name, int round) {
    RunningSystem system = running.get(name);
    OnDisk durable = onDisk.get(name);
    if (system == null || durable == null) {
      throw new IllegalStateException(name + " does not run");
    }
    String key = name + " " + cell.id();
    Result result;
    try {
      result =
          cell.run(system.target(), new Cell.Effort(fastest.getOrDefault(key, 0.0), endToEndRate));
    } catch (RuntimeException e) {
      failed("round %d, %s, %s".formatted(round, cell.id(), name), e);
      return;
    }
    done++;
    fastest.merge(key, result.rate(), Math::max);
    say(
        String.format(
            Locale.ROOT,
            "%s, %s, %s: %,.0f messages/s, p50 %.2f ms, p99 %.2f ms%s (%d of %d, %s left)",
            round == 0 ? "warm-up" : "round " + round,
            cell.id(),
            name,
            result.rate(),
            result.millis(50),
            result.millis(99),
            result.errors() == 0 ? "" : ", " + result.errors() + " ERRORS: " + result.firstError(),
            done,
            all(),
            left()));
    if (result.messages() == 0) {
      failures.add("round %d, %s, %s: nothing was done".formatted(round, cell.id(), name));
    }
    if (round > 0) {
      table.add(cell, name, round, Figures.of(result));
      keep(line(cell, name, round, durable, system.version(), result));
    }
  }

  private int all() {
    return (rounds + (warmUp ? 1 : 0)) * cells.size() * running.size();
  }

  private String left() {
    long each = (System.nanoTime() - began) / Math.max(1, done);
    Duration left = Duration.ofNanos(each * Math.max(0, all() - done));
    return "%d:%02d".formatted(left.toMinutes(), left.toSecondsPart());
  }

  private static String line(
      Cell cell, String system, int round, OnDisk durable, String version, Result result) {
    return new JsonObject()
        .put("system", system)
        .put("cell", cell.id())
        .put("round", round)
        .put("on_disk", durable.text())
        .put("version", version)
        .mergeIn(new JsonObject(result.json()))
        .encode();
  }

  private void keep(String line) {
    lines.add(line);
    json.append(line);
  }

  private void failed(String what, RuntimeException failure) {
    String line = what + ": " + failure.getMessage();
    failures.add(line);
    say(line);
  }

  private void say(String text) {
    progress.println(text);
    progress.flush();
  }
}
