package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench http-audit}. */
@Command(
    name = "http-audit",
    mixinStandardHelpOptions = true,
    description =
        "Producers and consumers who cut their connections, die and repeat themselves, at a broker;"
            + " counts what it did wrong. Exits with 1 if it did anything wrong.")
public final class HttpAudit implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(
      names = "--seconds",
      description = "How long messages are pushed (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(names = "--producers", description = "Default: ${DEFAULT-VALUE}.")
  private int producers = 8;

  @Option(names = "--consumers", description = "Of each group (default: ${DEFAULT-VALUE}).")
  private int consumers = 6;

  @Option(names = "--partitions", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions = 12;

  @Option(
      names = "--groups",
      description =
          "Consumer groups (default: ${DEFAULT-VALUE}); consumers without a group come on top.")
  private int groups = 2;

  @Option(names = "--lease", description = "Seconds of a lease (default: ${DEFAULT-VALUE}).")
  private int lease = 3;

  @Option(
      names = "--seed",
      description = "Of all random choices (default: ${DEFAULT-VALUE}); timing still differs.")
  private long seed = 1;

  /** Made by picocli. */
  public HttpAudit() {}

  @Override
  public Integer call() {
    List<BrokerUrl> given = brokerOptions.urls();
    HttpAuditReport report;
    if (given.isEmpty()) {
      try (BrokerProcess broker = brokerOptions.start(postgresOptions)) {
        report = audit(List.of(broker.url()));
      }
    } else {
      report = audit(given);
    }
    report.print(spec.commandLine().getOut());
    return report.violations().total() == 0 ? 0 : 1;
  }

  private HttpAuditReport audit(List<BrokerUrl> urls) {
    PrintWriter err = spec.commandLine().getErr();
    urls.forEach(url -> err.println("broker at " + url));
    err.flush();
    return new HttpAuditRun(
            AuditedBrokers.of(urls),
            new HttpAuditSettings(
                Duration.ofSeconds(seconds),
                0,
                producers,
                consumers,
                partitions,
                groups,
                lease,
                seed),
            err)
        .run();
  }
}
