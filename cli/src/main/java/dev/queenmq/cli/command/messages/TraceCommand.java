package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.Trace;
import dev.queenmq.client.admin.messages.TraceName;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trace",
    description =
        "Shows what consumers recorded: names without arguments, the traces of a name, or those of"
            + " a message.")
public final class TraceCommand extends QueenCommand {

  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME|PARTITION_ID")
  private @Nullable String first;

  @Parameters(index = "1", arity = "0..1", paramLabel = "TRANSACTION_ID")
  private @Nullable String transactionId;

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 50 unless given.")
  private int limit = 50;

  public TraceCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    if (first == null) {
      return names();
    }
    List<Trace> traces =
        (transactionId == null ? named(first) : ofMessage(first, transactionId)).items();
    Table table = new Table("TIME", "EVENT", "GROUP", "QUEUE", "TRANSACTION ID", "DATA");
    traces.forEach(
        trace ->
            table.row(
                Moments.text(trace.createdAt()),
                trace.eventType(),
                trace.consumerGroup(),
                trace.queue(),
                trace.transactionId() == null ? transactionId : trace.transactionId(),
                trace.data()));
    session.show(traces, table, "no traces");
    return done();
  }

  private Page<Trace> named(String name) {
    return admin().traces().named(name, null, Paging.of(limit));
  }

  private Page<Trace> ofMessage(String partitionId, String id) {
    try {
      return admin().traces().ofMessage(UUID.fromString(partitionId), id, Paging.of(limit));
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, "'" + partitionId + "' is not the id of a partition");
    }
  }

  private int names() {
    List<TraceName> names = admin().traces().names(Paging.of(limit)).items();
    Table table = new Table("NAME", "TRACES", "MESSAGES", "LATEST");
    names.forEach(
        name ->
            table.row(name.name(), name.traces(), name.messages(), Moments.age(name.lastSeen())));
    session.show(names, table, "no traces");
    return done();
  }
}
