package dev.queenmq.bench.audit;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How large an audit is; the same options for all commands that audit. */
public final class AuditOptions {
  @Option(names = "--producers", description = "Default: ${DEFAULT-VALUE}.")
  private int producers = 8;

  @Option(names = "--consumers", description = "Of each group (default: ${DEFAULT-VALUE}).")
  private int consumers;

  @Option(names = "--partitions", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions;

  @Option(names = "--lease", description = "Seconds of a lease (default: ${DEFAULT-VALUE}).")
  private int lease;

  /** Options with these defaults. */
  public AuditOptions(int consumers, int partitions, int lease) {
    this.consumers = consumers;
    this.partitions = partitions;
    this.lease = lease;
  }

  /** The settings of an audit with this number of groups and this behaviour of clients. */
  public AuditSettings settings(
      Duration duration, int groups, long seed, ClientBehaviour behaviour) {
    return new AuditSettings(
        duration, 0, producers, consumers, partitions, groups, lease, seed, behaviour);
  }
}
