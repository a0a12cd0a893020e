package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.MessageFilter;
import dev.queenmq.client.admin.messages.MessageStatus;
import dev.queenmq.client.admin.messages.StoredMessage;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "messages", description = "Lists stored messages of a queue, the newest first.")
public final class MessagesCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-p", "--partition"},
      description = "Only this lane.")
  private @Nullable String partition;

  @Option(
      names = {"-s", "--status"},
      description = "pending, processing, completed or dead_letter.")
  private @Nullable MessageStatus status;

  @Option(names = "--since", paramLabel = "TIME", description = "Not older than, 1h unless given.")
  private @Nullable Instant since;

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 20 unless given.")
  private int limit = 20;

  public MessagesCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    MessageFilter all =
        MessageFilter.queue(queue)
            .created(since == null ? TimeRange.usual() : new TimeRange(since, null));
    MessageFilter lane = partition == null ? all : all.partition(partition);
    MessageFilter filter = status == null ? lane : lane.status(status);
    List<StoredMessage> messages =
        Page.all(
                Paging.of(Math.min(limit, 1_000)),
                paging -> admin().messages().list(filter, paging))
            .limit(limit)
            .toList();
    Table table = new Table("AGE", "PARTITION", "TRANSACTION ID", "STATUS", "PARTITION ID");
    messages.forEach(
        message ->
            table.row(
                Moments.age(message.createdAt()),
                message.partition(),
                message.transactionId(),
                message.status().word(),
                message.partitionId()));
    if (messages.isEmpty()) {
      requireQueue(queue);
    }
    session.show(
        messages,
        table,
        since == null ? "no messages of the last hour; see --since" : "no messages");
    return done();
  }
}
