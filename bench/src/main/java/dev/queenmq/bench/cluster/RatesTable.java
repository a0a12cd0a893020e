package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Statistics;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was measured of two clusters, one with and one without UDP, beside what is asked of it. For
 * one thread.
 */
final class RatesTable {
  /** Messages between brokers must not make a consumer slower. */
  static final double LEAST_ON_TO_OFF = 0.9;

  /** Nor must it matter much which broker a client asks. */
  static final double LEAST_IN_TURN_TO_STICKY = 0.5;

  static final double MOST_MILLIS_ON = 15;
  static final double MOST_MILLIS_OFF = 250;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int FIRST_WIDTH = 32;
  private static final int CELL_WIDTH = 9;

  /**
   * One figure.
   *
   * @param udp whether brokers exchange messages
   */
  private record Cell(RateCase what, Route route, boolean udp) {}

  private record Wake(RemoteWakes.Cause cause, boolean udp) {}

  /**
   * What a message costs.
   *
   * @param statements that all brokers make for requests, pushes among them
   * @param packets that all brokers send, heartbeats among them
   */
  private record Cost(double statements, double packets) {}

  private final List<RateCase> cases;
  private final Map<Cell, Cost> costs = new HashMap<>();
  private final Map<Cell, List<Double>> rates = new HashMap<>();
  private final Map<Wake, Histogram> wakes = new HashMap<>();
  private final List<String> missed = new ArrayList<>();

  /** An empty table for these cases. */
  RatesTable(List<RateCase> cases) {
    this.cases = List.copyOf(cases);
  }

  /** What is measured. */
  List<RateCase> cases() {
    return cases;
  }

  /** What a message costs. */
  void costs(RateCase what, Route route, boolean udp, double statements, double packets) {
    costs.put(new Cell(what, route, udp), new Cost(statements, packets));
  }

  /** One more measurement of a figure; those that come first belong together, and so on. */
  void add(RateCase what, Route route, boolean udp, double rate) {
    rates.computeIfAbsent(new Cell(what, route, udp), key -> new ArrayList<>()).add(rate);
  }

  /** Where nanoseconds go. */
  Histogram wakes(RemoteWakes.Cause cause, boolean udp) {
    return wakes.computeIfAbsent(new Wake(cause, udp), key -> new Histogram(3));
  }

  /** Prints all, and returns which targets were missed. */
  List<String> print(PrintWriter out) {
    missed.clear();
    printRates(out);
    printCosts(out);
    if (!wakes.isEmpty()) {
      printWakes(out);
    }
    out.flush();
    return List.copyOf(missed);
  }

  private void printRates(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "Messages a second of one consumer, medians; ratios are medians of those of each round,"
            + " on/off at least %.1f, in turn/all at A at least %.1f:%n",
        LEAST_ON_TO_OFF,
        LEAST_IN_TURN_TO_STICKY);
    out.print(first(""));
    for (Route route : Route.values()) {
      out.printf(" | %" + 3 * CELL_WIDTH + "s", route.text());
    }
    out.printf(" | %s%n", "in turn/all at A");
    out.print(first(""));
    for (int i = 0; i < Route.values().length; i++) {
      out.print(" | " + cell("UDP on") + cell("UDP off") + cell("on/off"));
    }
    out.printf(" | %16s%n", "UDP on");
    for (RateCase what : cases) {
      out.print(first(what.text()));
      for (Route route : Route.values()) {
        double on = rate(what, route, true);
        double off = rate(what, route, false);
        double ratio = ratio(new Cell(what, route, true), new Cell(what, route, false));
        out.print(" | " + cell("%.0f", on) + cell("%.0f", off) + cell("%.2f", ratio));
        miss(ratio < LEAST_ON_TO_OFF, what.text() + ", " + route.text() + ": on/off");
      }
      double inTurn =
          ratio(new Cell(what, Route.ROUND_ROBIN, true), new Cell(what, Route.STICKY, true));
      out.println(" | " + String.format(Locale.ROOT, "%16.2f", inTurn));
      miss(inTurn < LEAST_IN_TURN_TO_STICKY, what.text() + ": in turn/all at A");
    }
    out.println();
  }

  private void printCosts(PrintWriter out) {
    out.println("Statements of a message with UDP and without, and packets with it, all brokers:");
    for (RateCase what : cases) {
      out.print(first("cost of " + what.text()));
      for (Route route : Route.values()) {
        Cost on = costs.getOrDefault(new Cell(what, route, true), new Cost(0, 0));
        Cost off = costs.getOrDefault(new Cell(what, route, false), new Cost(0, 0));
        out.print(
            " | "
                + cell("%.2f", on.statements)
                + cell("%.2f", off.statements)
                + cell("%.2f", on.packets));
      }
      out.println();
    }
    out.println();
  }

  private void printWakes(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "Milliseconds until a poll at B is answered; p99 at most %.0f with UDP, %.0f without:%n",
        MOST_MILLIS_ON,
        MOST_MILLIS_OFF);
    int width = 36;
    out.printf("%-" + width + "s", "");
    for (String title : new String[] {"UDP on", "UDP off"}) {
      out.printf(" | %" + 3 * CELL_WIDTH + "s", title);
    }
    out.println();
    out.printf("%-" + width + "s", "ended by");
    for (int i = 0; i < 2; i++) {
      out.print(" | " + cell("p50") + cell("p99") + cell("most"));
    }
    out.println();
    for (RemoteWakes.Cause cause : RemoteWakes.Cause.values()) {
      out.printf("%-" + width + "s", cause.text());
      for (boolean udp : new boolean[] {true, false}) {
        Histogram nanos = wakes(cause, udp);
        double p99 = nanos.getValueAtPercentile(99) / NANOS_PER_MILLI;
        out.print(
            " | "
                + cell("%.1f", nanos.getValueAtPercentile(50) / NANOS_PER_MILLI)
                + cell("%.1f", p99)
                + cell("%.1f", nanos.getMaxValue() / NANOS_PER_MILLI));
        miss(
            p99 > (udp ? MOST_MILLIS_ON : MOST_MILLIS_OFF),
            cause.text() + ", UDP " + (udp ? "on" : "off") + ": p99");
      }
      out.println();
    }
    out.println();
  }

  private double rate(RateCase what, Route route, boolean udp) {
    return Statistics.median(measured(new Cell(what, route, udp)));
  }

  /** Of what was measured at about the same time: the machine may be busy now and idle then. */
  private double ratio(Cell one, Cell other) {
    List<Double> ones = measured(one);
    List<Double> others = measured(other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
      ratios.add(ones.get(i) / others.get(i));
    }
    return Statistics.median(ratios);
  }

  private List<Double> measured(Cell cell) {
    List<Double> all = rates.get(cell);
    if (all == null) {
      throw new IllegalStateException("not measured: " + cell);
    }
    return all;
  }

  private void miss(boolean isMissed, String what) {
    if (isMissed) {
      missed.add(what);
    }
  }

  private static String first(String text) {
    return String.format("%-" + FIRST_WIDTH + "s", text);
  }

  private static String cell(String text) {
    return String.format("%" + CELL_WIDTH + "s", text);
  }

  private static String cell(String format, double value) {
    return cell(String.format(Locale.ROOT, format, value));
  }
}
