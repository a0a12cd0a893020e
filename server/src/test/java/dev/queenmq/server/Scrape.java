package dev.queenmq.server;

/** What {@code /metrics/prometheus} says at one moment. */
record Scrape(String text) {

  static Scrape of(RunningServer server) {
    return new Scrape(server.get("/metrics/prometheus").body());
  }

  /** The value of a sample, named with its labels. */
  double value(String sample) {
    return text.lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + sample + " in\n" + text));
  }
}
