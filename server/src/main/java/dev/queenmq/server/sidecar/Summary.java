package dev.queenmq.server.sidecar;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import dev.queenmq.server.sidecar.figures.Histogram;
import dev.queenmq.server.sidecar.figures.OperationStatistics;
import dev.queenmq.server.sidecar.figures.RequestTimes;
import dev.queenmq.server.sidecar.figures.Traffic;
import dev.queenmq.server.sidecar.waiting.WaitingFigures;
import java.util.ArrayList;
import java.util.List;

/** Sums up the figures of sidecars. */
final class Summary {
  private Summary() {}

  static SidecarFigures of(List<Sidecar> sidecars, int waiting, RequestTimes times) {
    List<OperationFigures> operations = new ArrayList<>(sidecars.get(0).figures());
    for (Sidecar sidecar : sidecars.subList(1, sidecars.size())) {
      List<OperationFigures> more = sidecar.figures();
      for (int i = 0; i < operations.size(); i++) {
        operations.set(i, OperationStatistics.sum(operations.get(i), more.get(i)));
      }
    }
    List<WaitingFigures> rooms = sidecars.stream().map(each -> each.room().figures()).toList();
    List<Traffic> traffic = sidecars.stream().map(Sidecar::traffic).toList();
    int groups = rooms.stream().mapToInt(WaitingFigures::groups).sum();
    double intervals = rooms.stream().mapToLong(WaitingFigures::intervalMillis).sum();
    return new SidecarFigures(
        operations,
        waiting,
        sidecars.size(),
        groups,
        rooms.stream().mapToInt(WaitingFigures::inFlight).sum(),
        rooms.stream().mapToInt(WaitingFigures::backedOff).sum(),
        rooms.stream().mapToInt(WaitingFigures::backedOffQueues).sum(),
        groups == 0 ? 0 : intervals / groups,
        sidecars.stream().mapToInt(Sidecar::slots).sum(),
        sidecars.stream().mapToInt(Sidecar::idleSlots).sum(),
        sidecars.stream().mapToLong(Sidecar::databaseErrors).sum(),
        times.figures(),
        traffic.stream().map(Traffic::delivery).reduce(Histogram::sum).orElseThrow(),
        traffic.stream().map(Traffic::loopDelay).reduce(Histogram::sum).orElseThrow());
  }
}
