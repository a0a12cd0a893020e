package dev.queenmq.bench.views;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.buffer.Buffer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench views}. */
@Command(
    name = "views",
    mixinStandardHelpOptions = true,
    description =
        "Operators' pages over many partitions in which groups lag, while messages come and go."
            + " Exits with 1 if any answer took longer than the limit.")
public final class ViewsBench extends BenchCommand {
  private static final String REFRESH = "/api/v1/stats/refresh";

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(names = "--partitions", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions = 100_000;

  @Option(names = "--queues", description = "Default: ${DEFAULT-VALUE}.")
  private int queues = 10;

  @Option(
      names = "--rounds",
      description = "How often each page is asked for (default: ${DEFAULT-VALUE}).")
  private int rounds = 10;

  @Option(
      names = "--limit",
      description = "The longest that an answer may take, in ms (default: ${DEFAULT-VALUE}).")
  private int limit = 500;

  @Option(
      names = "--filled",
      description = "The broker of --url has been filled by this command before.")
  private boolean filled;

  @Override
  public Integer call() {
    Optional<BrokerUrl> running = brokerOptions.url();
    if (running.isPresent()) {
      return measure(out(), running.get());
    }
    try (BrokerProcess broker = brokerOptions.start(postgres())) {
      return measure(out(), broker.url());
    }
  }

  private static List<String> pages() {
    String queue = Filling.queue(0);
    return List.of(
        "/api/v1/resources/queues",
        "/api/v1/resources/queues/" + queue,
        "/api/v1/resources/namespaces",
        "/api/v1/resources/tasks",
        "/api/v1/resources/overview",
        "/api/v1/resources/partitions",
        "/api/v1/resources/partitions?offset=90000",
        "/api/v1/consumer-groups",
        "/api/v1/consumer-groups/lagging",
        "/api/v1/consumer-groups/lagging?minLagSeconds=0",
        "/api/v1/consumer-groups/" + Filling.BEHIND[0],
        "/api/v1/consumer-groups/" + Filling.NEW,
        REFRESH,
        "/api/v1/status",
        "/api/v1/status/queues",
        "/api/v1/status/queues/" + queue,
        "/api/v1/status/queues/" + queue + "/messages",
        "/api/v1/status/queues/" + queue + "/messages?limit=500&offset=500",
        "/api/v1/status/analytics",
        "/api/v1/status/buffers",
        "/api/v1/analytics/system-metrics",
        "/api/v1/analytics/worker-metrics",
        "/api/v1/analytics/queue-lag",
        "/api/v1/analytics/queue-ops",
        "/api/v1/analytics/queue-parked-replicas",
        "/api/v1/analytics/postgres-stats",
        "/metrics",
        "/metrics/prometheus");
  }

  private int measure(PrintWriter out, BrokerUrl url) {
    try (EventLoop loop = new EventLoop()) {
      BrokerClient client = new BrokerClient(loop.vertx(), url, 4);
      long from = System.nanoTime();
      if (!filled) {
        new Filling(client, partitions, queues).fill();
      }
      out.printf(
          "%d partitions of %d queues, %d groups that lag in all of them; made in %d s.%n",
          partitions,
          queues,
          Filling.BEHIND.length + 1,
          (System.nanoTime() - from) / 1_000_000_000);
      long refresh = System.nanoTime();
      Blocking.get(client.post(REFRESH + "?wait=true", Buffer.buffer())).orThrow();
      out.printf("First sums in %d ms.%n", (System.nanoTime() - refresh) / 1_000_000);
      out.flush();
      try (LightTraffic traffic = new LightTraffic(loop, client, partitions, queues)) {
        List<String> slow = ask(out, client);
        out.printf("Meanwhile %d pushes of 10, with pops and acks.%n", traffic.rounds());
        return conclude(slow);
      }
    }
  }

  /** The pages that took too long. */
  private List<String> ask(PrintWriter out, BrokerClient client) {
    List<String> slow = new ArrayList<>();
    out.printf("%-70s %10s %10s %10s%n", "route", "p50 ms", "max ms", "bytes");
    for (String page : pages()) {
      Histogram millis = new Histogram(2);
      int bytes = 0;
      for (int i = 0; i < rounds; i++) {
        long from = System.nanoTime();
        Reply reply =
            Blocking.get(
                page.equals(REFRESH) ? client.post(page, Buffer.buffer()) : client.get(page));
        millis.recordValue((System.nanoTime() - from) / 1_000_000);
        bytes = reply.orThrow().body().length();
      }
      out.printf(
          "%-70s %10d %10d %10d%n",
          page, millis.getValueAtPercentile(50), millis.getMaxValue(), bytes);
      out.flush();
      if (millis.getMaxValue() > limit) {
        slow.add(page);
      }
    }
    return slow;
  }
}
