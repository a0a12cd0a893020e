package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.cli.command.groups.GroupsCommand;
import dev.queenmq.client.admin.groups.GroupSummary;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.queues.PartitionSummary;
import dev.queenmq.client.admin.queues.QueueDetails;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "queue",
    description =
        "Shows a queue: options, groups, and the partitions with the most waiting messages.")
public final class QueueCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "How many partitions to show, 10 unless given.")
  private int limit = 10;

  public QueueCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    QueueDetails details =
        admin().queues().find(queue, Paging.of(10_000)).orElseThrow(() -> missing(queue));
    if (session.json()) {
      session.out().println(Printer.document(details));
      return done();
    }
    Table head = new Table("QUEUE", details.name());
    head.row("namespace", details.namespace());
    head.row("task", details.task());
    head.row("created", Moments.text(details.createdAt()));
    head.row(
        "state", details.paused() ? "paused since " + Moments.text(details.pausedSince()) : "");
    head.row("partitions", number(details.partitionCount()));
    head.row("pending", number(details.totals().pending()));
    head.row("in flight", number(details.totals().processing()));
    head.row("dead letters", number(details.totals().deadLetter()));
    head.row("pushed", number(details.totals().total()));
    Printer.mapper()
        .valueToTree(details.options())
        .properties()
        .forEach(option -> head.row(option.getKey(), option.getValue().asText()));
    print(head, "");
    groups(details);
    partitions(details);
    return done();
  }

  private void groups(QueueDetails details) {
    List<GroupSummary> groups =
        Page.all(paging -> admin().groups().list(paging))
            .filter(group -> group.queue().equals(details.name()))
            .toList();
    Table table = new Table("GROUP", "LAG", "OLDEST", "LEASES", "STATE");
    groups.forEach(
        group ->
            table.row(
                group.name(),
                group.totalLag(),
                Moments.length(Duration.ofSeconds(group.maxTimeLagSeconds())),
                group.activeLeases(),
                GroupsCommand.state(group)));
    session.out().println();
    print(table, "no groups");
  }

  private void partitions(QueueDetails details) {
    Table table = new Table("PARTITION", "PENDING", "IN FLIGHT", "DEAD", "TOTAL", "OLDEST");
    details.partitions().stream()
        .sorted(
            Comparator.comparingLong((PartitionSummary each) -> each.messages().pending())
                .reversed()
                .thenComparing(PartitionSummary::name))
        .limit(limit)
        .forEach(
            each ->
                table.row(
                    each.name(),
                    each.messages().pending(),
                    each.messages().processing(),
                    each.messages().deadLetter(),
                    each.messages().total(),
                    Moments.age(each.oldestMessage())));
    session.out().println();
    print(table, "no partitions");
  }

  private void print(Table table, String ifEmpty) {
    session.show(queue, table, ifEmpty);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
