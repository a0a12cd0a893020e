package dev.queenmq.cli.command;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description =
        "Removes a queue or a partition, its messages, dead letters, and how far groups are.")
final class DeleteCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-p", "--partition"},
      description = "Only this lane.")
  private @Nullable String partition;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  DeleteCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    String what =
        partition == null ? "queue " + queue : "partition " + partition + " of queue " + queue;
    session.confirm(yes, "This removes " + what + " and all that is in it");
    boolean deleted =
        partition == null
            ? admin().queues().delete(queue)
            : admin().queues().deletePartition(queue, partition);
    if (!deleted) {
      throw new CliException(ExitCode.REFUSED, "there is no " + what);
    }
    session.say(Map.of("queue", queue, "deleted", true), what + " is deleted");
    return done();
  }
}
