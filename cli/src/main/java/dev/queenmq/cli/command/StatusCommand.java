package dev.queenmq.cli.command;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.client.admin.query.TimeRange;
import dev.queenmq.client.admin.queues.Overview;
import dev.queenmq.client.admin.queues.QueueFilter;
import dev.queenmq.client.admin.status.Status;
import dev.queenmq.client.admin.system.Health;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "status", description = "Shows how the broker and its queues are doing.")
public final class StatusCommand extends QueenCommand {

  public StatusCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    Health health = admin().system().health();
    Overview overview = admin().queues().overview();
    Status status = admin().status().overall(TimeRange.usual(), QueueFilter.any());
    if (session.json()) {
      session.say(Map.of("health", health, "overview", overview, "status", status), "");
      return done();
    }
    Table table = new Table("BROKER", session.brokerUrl());
    table.row("version", health.version());
    table.row("health", health.status().name().toLowerCase(Locale.ROOT));
    table.row("database", health.database());
    table.row("queues", number(overview.queues()));
    table.row("partitions", number(overview.partitions()));
    table.row(
        "messages",
        "%s pending, %s in flight, %s dead letters, %s ever pushed"
            .formatted(
                number(overview.messages().pending()),
                number(overview.messages().processing()),
                number(overview.messages().deadLetter()),
                number(overview.messages().total())));
    table.row(
        "oldest waiting",
        overview.messages().pending() == 0
            ? "none"
            : Moments.length(Duration.ofSeconds((long) overview.lag().time().max())));
    table.row(
        "leases",
        "%s on %s partitions"
            .formatted(
                number(status.leases().active()), number(status.leases().partitionsWithLeases())));
    List<Status.Point> points = status.throughput();
    if (!points.isEmpty()) {
      Status.Point last = points.get(0);
      table.row(
          "last minute",
          String.format(
              Locale.ROOT,
              "%,.1f/s pushed, %,.1f/s delivered, %,.1f/s done",
              last.ingestedPerSecond(),
              last.popPerSecond(),
              last.processedPerSecond()));
    }
    status
        .deadLetters()
        .topErrors()
        .forEach(each -> table.row("error", number(each.count()) + " x " + each.error()));
    table.print(session.out(), session.terminal().width(), "");
    return done();
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
