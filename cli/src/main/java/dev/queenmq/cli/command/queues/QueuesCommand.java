package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.queues.QueueSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "queues", description = "Lists queues, the newest first.")
public final class QueuesCommand extends QueenCommand {

  @Parameters(
      arity = "0..1",
      paramLabel = "TEXT",
      description = "Only those with this in the name.")
  private @Nullable String text;

  @Option(names = "--namespace", description = "Only those of this namespace.")
  private @Nullable String namespace;

  @Option(names = "--task", description = "Only those of this task.")
  private @Nullable String task;

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 1,000 unless given.")
  private int limit = 1_000;

  public QueuesCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    List<QueueSummary> queues =
        Page.all(
                Paging.of(Math.min(limit, 1_000)),
                paging -> admin().status().queues(namespace, task, paging))
            .filter(queue -> text == null || queue.name().contains(text))
            .limit(limit)
            .toList();
    Table table = new Table("QUEUE", "PARTITIONS", "PENDING", "IN FLIGHT", "TOTAL", "STATE", "AGE");
    queues.forEach(
        queue ->
            table.row(
                queue.name(),
                queue.partitions(),
                queue.messages().pending(),
                queue.messages().processing(),
                queue.messages().total(),
                state(queue),
                Moments.age(queue.createdAt())));
    session.show(queues, table, "no queues");
    return done();
  }

  private static String state(QueueSummary queue) {
    if (queue.paused()) {
      return "paused";
    }
    int groups = queue.pausedGroups().size();
    return groups == 0 ? "" : groups + (groups == 1 ? " group paused" : " groups paused");
  }
}
