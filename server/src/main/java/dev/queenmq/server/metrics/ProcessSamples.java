package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Looks at the process, summed up over a minute. For one thread. */
final class ProcessSamples {
  private static final int MEASURES = SystemMeasure.values().length;

  private final int workers;
  private long samples;
  private final double[] sums = new double[MEASURES];
  private final double[] lows = new double[MEASURES];
  private final double[] highs = new double[MEASURES];
  private final double[] last = new double[MEASURES];
  private long lastNanos;
  private long lastUser;
  private long lastSystem;

  /**
   * None yet.
   *
   * @param nanoTime of the first reading, which CPU time is counted from
   */
  ProcessSamples(int workers, long nanoTime, ProcessReadings first) {
    this.workers = workers;
    this.lastNanos = nanoTime;
    this.lastUser = first.cpuUserMicros();
    this.lastSystem = first.cpuSystemMicros();
  }

  /** CPU time is divided by the time that passed, however long the look came after the last. */
  void add(long nanoTime, ProcessReadings process, SidecarFigures figures) {
    double micros = Math.max(nanoTime - lastNanos, 1) / 1e3;
    samples++;
    set(SystemMeasure.CPU_USER, (process.cpuUserMicros() - lastUser) / micros * 1e4);
    set(SystemMeasure.CPU_SYSTEM, (process.cpuSystemMicros() - lastSystem) / micros * 1e4);
    set(SystemMeasure.RESIDENT, (double) process.residentBytes());
    set(SystemMeasure.VIRTUAL, (double) process.virtualBytes());
    set(SystemMeasure.POOL_SIZE, figures.slots());
    set(SystemMeasure.POOL_IDLE, figures.idleSlots());
    set(SystemMeasure.POOL_ACTIVE, figures.slots() - figures.idleSlots());
    set(SystemMeasure.DB_THREADS, workers);
    set(
        SystemMeasure.DB_QUEUE,
        figures.operations().stream().mapToInt(OperationFigures::pending).sum());
    set(SystemMeasure.SYSTEM_THREADS, process.threads());
    set(SystemMeasure.SYSTEM_QUEUE, 0);
    set(SystemMeasure.RESPONSES, figures.waitingPolls());
    lastNanos = nanoTime;
    lastUser = process.cpuUserMicros();
    lastSystem = process.cpuSystemMicros();
  }

  private void set(SystemMeasure measure, double value) {
    int i = measure.place();
    lows[i] = samples == 1 ? value : Math.min(lows[i], value);
    highs[i] = samples == 1 ? value : Math.max(highs[i], value);
    sums[i] += value;
    last[i] = value;
  }

  /** What the minute shows so far; another may begin. */
  MinuteReport.ProcessTaken take(boolean minuteIsOver) {
    MinuteReport.ProcessTaken taken =
        new MinuteReport.ProcessTaken(samples, list(sums), list(lows), list(highs), list(last));
    if (minuteIsOver) {
      samples = 0;
      Arrays.fill(sums, 0);
    }
    return taken;
  }

  private static List<Double> list(double[] values) {
    List<Double> list = new ArrayList<>(values.length);
    for (double value : values) {
      list.add(value);
    }
    return list;
  }
}
