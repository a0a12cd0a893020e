package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.Message;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.QueenException;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.StartAt;
import dev.queenmq.client.admin.query.Paging;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "pop",
    description =
        "Pops messages. They are leased: ack them, or they are delivered again when the lease"
            + " ends. Exits with 5 if there are none.")
public final class PopCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-p", "--partition"},
      description = "Only from this lane.")
  private @Nullable String partition;

  @Option(
      names = {"-g", "--group"},
      description = "The consumer group.")
  private @Nullable String group;

  @Option(
      names = {"-n", "--batch"},
      converter = Count.class,
      description = "At most this many, 1 unless given.")
  private int batch = 1;

  @Option(
      names = {"-w", "--wait"},
      paramLabel = "TIME",
      description = "How long to wait for the first one.")
  private Duration wait = Duration.ZERO;

  @Option(
      names = {"-a", "--ack"},
      description = "Ack them once they are printed.")
  private boolean ack;

  @Option(names = "--new", description = "Where a new group starts: with what comes from now on.")
  private boolean onlyNew;

  public PopCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    QueueRef source = session.client().queue(queue);
    source = partition == null ? source : source.partition(partition);
    source = group == null ? source : source.group(group);
    PopOptions options = PopOptions.batch(batch).waitUpTo(wait);
    options = partition == null ? options.partitions(batch) : options;
    List<Message<byte[]>> messages =
        source.pop(byte[].class, onlyNew ? options.startAt(StartAt.now()) : options);
    if (messages.isEmpty()) {
      if (!session.json()) {
        session
            .terminal()
            .err()
            .println("no message" + (isMissing() ? ": there is no such queue yet" : ""));
      }
      return ExitCode.EMPTY;
    }
    if (session.json()) {
      messages.forEach(message -> session.out().println(line(message)));
    } else {
      print(messages);
    }
    // What was not written to the output is not acked.
    session.flush();
    if (ack) {
      session.client().ack(messages);
    }
    return done();
  }

  /** A token that may only consume gets no answer here; that must not change the exit code. */
  private boolean isMissing() {
    try {
      return admin().queues().find(queue, Paging.of(1)).isEmpty();
    } catch (QueenException e) {
      return false;
    }
  }

  private void print(List<Message<byte[]>> messages) {
    Table table = new Table("PARTITION", "TRANSACTION ID", "ATTEMPT", "AGE", "PAYLOAD");
    messages.forEach(
        message ->
            table.row(
                message.partition(),
                message.transactionId(),
                message.attempt(),
                Moments.age(message.createdAt()),
                text(message)));
    session.show(messages, table, "no message");
    if (!ack) {
      Message<byte[]> first = messages.get(0);
      session
          .terminal()
          .err()
          .println(
              "leased until "
                  + Moments.text(first.leaseExpiresAt().orElse(null))
                  + ", to ack one:");
      session.terminal().err().println(ackLine(first));
    }
  }

  /** To be pasted into a shell: a producer chose the id, and must not choose the command. */
  private static String ackLine(Message<byte[]> message) {
    String id = message.transactionId();
    String lease = message.lease().map(each -> " --lease " + each).orElse("");
    if (!Table.printable(id).equals(id)) {
      return "(its transaction id cannot be typed; take it from -o json)";
    }
    String quoted =
        id.matches("[A-Za-z0-9_.:@/][A-Za-z0-9_.:@/-]*")
            ? id
            : "'" + id.replace("'", "'\\''") + "'";
    return id.startsWith("-")
        ? "queen ack" + lease + " -- " + message.partitionId() + " " + quoted
        : "queen ack " + message.partitionId() + " " + quoted + lease;
  }

  private static String text(Message<byte[]> message) {
    return JsonLines.payload(message.rawPayload());
  }

  /** A message as JSON, with the payload as it was pushed. */
  private static String line(Message<byte[]> message) {
    return Printer.mapper()
            .createObjectNode()
            .put("id", message.id())
            .put("transactionId", message.transactionId())
            .put("queue", message.queue())
            .put("partition", message.partition())
            .put("partitionId", message.partitionId())
            .put("consumerGroup", message.group())
            .put("leaseId", message.lease().orElse(null))
            .put("attempt", message.attempt())
            .put("createdAt", message.createdAt().toString())
            .toString()
            .replaceFirst("}$", "")
        + ",\"payload\":"
        + text(message)
        + "}";
  }
}
