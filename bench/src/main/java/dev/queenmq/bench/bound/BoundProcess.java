package dev.queenmq.bench.bound;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import java.util.List;

/** Starts the smallest broker in a process of its own. */
public final class BoundProcess {
  private static final List<String> JVM = List.of("-Xmx256m", "-XX:+UseSerialGC");

  private BoundProcess() {}

  /** With a PostgreSQL of its own, like the one of these options. */
  public static BrokerProcess start(PostgresOptions postgres) {
    return BrokerProcess.startMain(
        BoundServer.class.getName(),
        postgres.parent(),
        JVM,
        postgres.binFolder().map(bin -> List.of(bin.toString())).orElse(List.of()));
  }
}
