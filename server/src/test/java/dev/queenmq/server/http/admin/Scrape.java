package dev.queenmq.server.http.admin;

import dev.queenmq.server.RunningServer;

/** What {@code /metrics/prometheus} says at one moment. */
public record Scrape(String text) {

  public static Scrape of(RunningServer server) {
    return new Scrape(server.get("/metrics/prometheus").body());
  }

  /** The value of a sample, named with its labels. */
  public double value(String sample) {
    return text.lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + sample + " in\n" + text));
  }
}
