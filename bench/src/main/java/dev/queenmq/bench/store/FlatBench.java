package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Whether push, pop and ack cost the same however much is stored. */
final class FlatBench {
  private static final double LIMIT = 1.5;

  private final BenchPostgres postgres;
  private final Scale scale;
  private final Report report;

  FlatBench(BenchPostgres postgres, Scale scale, Report report) {
    this.postgres = postgres;
    this.scale = scale;
    this.report = report;
  }

  void run() {
    report.heading(
        "Flat cost: pushes of 100 over 10 random partitions, pops and acks of 100 from one");
    BenchDatabase messages = postgres.createDatabase("flat_messages");
    BenchDatabase partitions = postgres.createDatabase("flat_partitions");
    BenchDatabase base = postgres.createDatabase("flat_base");
    int many = scale.sparsePartitions();
    long stored = scale.storedMessages();
    try (FlatSide small = new FlatSide("10000 messages, 100 partitions", base, 100, scale.seed());
        FlatSide deep =
            new FlatSide(stored + " messages, 100 partitions", messages, 100, scale.seed());
        FlatSide wide =
            new FlatSide(many + " partitions, a message in each", partitions, many, scale.seed())) {
      List<FlatSide> sides = List.of(small, deep, wide);
      deep.fill(stored, 100);
      wide.fill(many, 1);
      small.fill(10_000, 100);
      for (BenchDatabase database : List.of(base, messages, partitions)) {
        database.query("vacuum analyze");
      }
      for (int round = 0; round < scale.race().warmUps() + scale.race().rounds(); round++) {
        if (round == scale.race().warmUps()) {
          sides.forEach(FlatSide::resetTimes);
        }
        for (int turn = 0; turn < sides.size(); turn++) {
          FlatSide side = sides.get((round + turn) % sides.size());
          side.cycle();
          side.cycle();
        }
      }
      print(sides);
    }
  }

  private void print(List<FlatSide> sides) {
    report.line("  %-40s %10s %10s %10s", "median ms", "push", "pop", "ack");
    for (FlatSide side : sides) {
      report.line(
          "  %-40s %10.2f %10.2f %10.2f",
          side.name(), median(side.push()), median(side.pop()), median(side.ack()));
    }
    FlatSide base = sides.get(0);
    for (FlatSide side : sides.subList(1, sides.size())) {
      report.atMost(LIMIT, "push at " + side.name(), median(side.push()) / median(base.push()));
      report.atMost(LIMIT, "pop at " + side.name(), median(side.pop()) / median(base.pop()));
      report.atMost(LIMIT, "ack at " + side.name(), median(side.ack()) / median(base.ack()));
    }
  }

  private static double median(Histogram times) {
    return times.getValueAtPercentile(50) / 1000.0;
  }
}
