package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench http-audit}. */
@Command(
    name = "http-audit",
    mixinStandardHelpOptions = true,
    description =
        "Producers and consumers that cut their connections, die and repeat themselves, at a"
            + " broker; counts what it did wrong. Exits with 1 if it did anything wrong.")
public final class HttpAudit extends BenchCommand {
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private AuditOptions options = new AuditOptions(6, 12, 3);

  @Option(
      names = "--seconds",
      description = "How long messages are pushed (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(
      names = "--groups",
      description =
          "Consumer groups (default: ${DEFAULT-VALUE}); consumers without a group come on top.")
  private int groups = 2;

  @Option(
      names = "--seed",
      description = "Seed of all random choices (default: ${DEFAULT-VALUE}); timing still differs.")
  private long seed = 1;

  @Override
  public Integer call() {
    List<BrokerUrl> given = brokerOptions.urls();
    if (!given.isEmpty()) {
      return audit(given);
    }
    try (BrokerProcess broker = brokerOptions.start(postgres())) {
      return audit(List.of(broker.url()));
    }
  }

  private int audit(List<BrokerUrl> urls) {
    urls.forEach(url -> say("broker at " + url));
    AuditSettings settings =
        options.settings(Duration.ofSeconds(seconds), groups + 1, seed, ClientBehaviour.restless());
    AuditReport report = AuditRun.http(AuditedBrokers.of(urls), settings, err()).run();
    report.print(out());
    return report.violations().total() == 0 ? 0 : 1;
  }
}
