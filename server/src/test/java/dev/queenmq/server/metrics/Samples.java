package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.Distribution;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import java.time.Duration;
import java.util.List;

/** Figures for tests. */
final class Samples {

  private Samples() {}

  static SidecarFigures figures(long pushes) {
    return new SidecarFigures(
        List.of(
            new OperationFigures(
                "push",
                pushes,
                pushes * 10,
                4,
                1,
                3,
                new Distribution(List.of(500L, 10_000L), List.of(6L, 9L, 10L), 25_000),
                new Distribution(List.of(1L, 8L), List.of(2L, 3L, 4L), 21)),
            new OperationFigures(
                "ack",
                2,
                5,
                2,
                0,
                1,
                new Distribution(List.of(), List.of(0L), 0),
                new Distribution(List.of(), List.of(0L), 0))),
        7,
        2,
        5,
        3,
        2,
        1,
        412.5,
        8,
        6,
        9,
        List.of(
            new SidecarFigures.RequestFigures(
                "push",
                new Distribution(List.of(500L, 10_000L), List.of(6L, 9L, 10L), 25_000),
                new Distribution(List.of(1L, 8L), List.of(2L, 3L, 10L), 100))),
        new Distribution(List.of(500L), List.of(1L, 2L), 2_000),
        new Distribution(List.of(500L), List.of(3L, 3L), 600));
  }

  static ProcessReadings process(Duration uptime) {
    return new ProcessReadings(uptime, 1_230_000, 450_000, 100, 200, 30, 40, 50, 60, 70, 21);
  }
}
