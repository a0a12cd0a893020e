package dev.queenmq.bench.bound;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import java.util.List;

/** Starts the smallest broker in a process of its own. */
public final class BoundProcess {
  private BoundProcess() {}

  /** With a PostgreSQL of its own, like the one of these options. */
  public static BrokerProcess start(PostgresOptions postgres) {
    return BrokerProcess.startMain(
        BoundServer.class.getName(), postgres, List.of("-Xmx256m", "-XX:+UseSerialGC"));
  }
}
