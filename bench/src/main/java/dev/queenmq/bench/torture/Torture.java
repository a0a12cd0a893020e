package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.broker.JarOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench torture}. */
@Command(
    name = "torture",
    mixinStandardHelpOptions = true,
    description =
        "Brokers and a PostgreSQL of its own, one fault after the other in a seeded order under"
            + " load, an audit by message id, one table. Exits with 1 if anything was lost, came"
            + " again, out of order or by half, or did not recover, or if hostile clients made"
            + " polite ones wait for too long.")
public final class Torture extends BenchCommand {

  @Option(
      names = "--minutes",
      description = "How long faults are injected (default: ${DEFAULT-VALUE}).")
  private double minutes = 10;

  @Option(
      names = "--seed",
      description =
          "Seed of the order of faults, of what each of them hits and how long it lasts (default:"
              + " ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "FAULT",
      description =
          "These faults only; --list names them. 'hostile' stands for all of hostile clients.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--list",
      description = "Lists all faults, and those that cannot be injected here.")
  private boolean list;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      description =
          "How long after a fault is healed the rate is measured (default: ${DEFAULT-VALUE}).")
  private double settle = 30;

  @Option(
      names = "--rate",
      description = "Messages a second; default: half of what is measured first.")
  private double rate;

  @Option(names = "--brokers", description = "Default: ${DEFAULT-VALUE}.")
  private int brokers = 3;

  @Option(names = "--producers", description = "Default: ${DEFAULT-VALUE}.")
  private int producers = 9;

  @Option(names = "--consumers", description = "Of each group (default: ${DEFAULT-VALUE}).")
  private int consumers = 9;

  @Option(names = "--lanes", description = "Partitions (default: ${DEFAULT-VALUE}).")
  private int lanes = 60;

  @Option(names = "--lease", description = "Seconds of a lease (default: ${DEFAULT-VALUE}).")
  private int lease = 3;

  @Option(
      names = "--round",
      paramLabel = "MINUTES",
      description = "How often all is drained and checked (default: ${DEFAULT-VALUE}).")
  private double round = 10;

  @Option(
      names = "--polite-ratio",
      paramLabel = "TIMES",
      description =
          "While hostile clients attack its broker, the p99 of a polite client may be this many"
              + " times the quiet one; 0: any (default: ${DEFAULT-VALUE}).")
  private double politeRatio = 5;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "Writes what happened to this file, one JSON object a line.")
  private Optional<Path> history = Optional.empty();

  @Option(
      names = "--asynchronous",
      description =
          "Only promotes an asynchronous standby, again and again: exactly what PostgreSQL loses"
              + " may be lost.")
  private boolean asynchronous;

  @Mixin private JarOptions jar = new JarOptions();

  @Override
  public Integer call() {
    PrintWriter out = out();
    if (asynchronous) {
      only = List.of("promote-standby");
      AsynchronousFailover.Outcome outcome =
          new AsynchronousFailover(settings(), postgres(), err()).run();
      outcome.print(out, seed);
      return outcome.isClean() ? 0 : 1;
    }
    TortureRun run = new TortureRun(settings(), postgres(), err());
    if (list) {
      run.list(out);
      return 0;
    }
    TortureReport report = run.run();
    report.print(out);
    return report.isClean() ? 0 : 1;
  }

  private TortureSettings settings() {
    return new TortureSettings(
        jar.jar(),
        brokers,
        seconds(minutes * 60),
        Integer.MAX_VALUE,
        seed,
        List.copyOf(only),
        seconds(settle),
        rate,
        producers,
        consumers,
        lanes,
        lease,
        seconds(round * 60),
        politeRatio,
        jar.settings(),
        history);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
