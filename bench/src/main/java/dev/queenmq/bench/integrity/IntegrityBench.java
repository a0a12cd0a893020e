package dev.queenmq.bench.integrity;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.JavaOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench integrity}. */
@Command(
    name = "integrity",
    mixinStandardHelpOptions = true,
    description =
        "Pushes payloads of bytes to tens of megabytes to a broker with a small heap, with stalls,"
            + " drips and clients that leave in the middle. Then compares by hash what is stored"
            + " with what was sent. Exits with 1 if a payload differs or is lost, if a request of a"
            + " client that stayed was not answered, or otherwise than with 201, 413 or 503.")
public final class IntegrityBench extends BenchCommand {
  private static final int MEGABYTE = 1_000_000;

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(
      names = "--heap",
      split = ",",
      description = "Megabytes of heap of the broker, one run for each (default: 128,400).")
  private List<Integer> heaps = List.of(128, 400);

  @Option(
      names = "--minutes",
      description = "Of each run; one round at least (default: ${DEFAULT-VALUE}).")
  private double minutes = 10;

  @Option(names = "--seed", description = "Decides what is sent (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--largest",
      description = "Megabytes of the largest payload (default: ${DEFAULT-VALUE}).")
  private int largest = 44;

  @Option(
      names = "--stall-ms",
      description = "Longest pause in the middle of a body (default: ${DEFAULT-VALUE}).")
  private int stallMillis = 3_000;

  @Override
  public Integer call() {
    PrintWriter out = out();
    boolean clean = true;
    for (int heap : heaps) {
      Findings findings = new Findings();
      Map<String, String> small = Map.of(JavaOptions.VARIABLE, "-Xmx" + heap + "m");
      out.printf("heap %d MB, seed %d, %.1f minutes%n", heap, seed, minutes);
      out.flush();
      try (BrokerProcess broker = brokerOptions.start(postgres(), small)) {
        new IntegrityRun(broker, seed, largest * MEGABYTE, stallMillis, findings)
            .run(Duration.ofMillis(Math.round(minutes * 60_000)));
        if (!broker.process().isAlive()) {
          out.println("the broker ended:\n" + broker.process().tail());
          clean = false;
        }
      }
      findings.print(out, heap);
      clean &= findings.isClean();
    }
    out.println(clean ? "Done." : "MISSED");
    out.flush();
    return clean ? 0 : 1;
  }
}
