package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "clear",
    description = "Removes all messages of a queue or partition. Groups and dead letters stay.")
final class ClearCommand extends QueenCommand {

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

  ClearCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    long pending =
        admin().queues().find(queue).orElseThrow(() -> missing(queue)).totals().pending();
    session.confirm(
        yes,
        "This removes all messages of "
            + (partition == null
                ? "queue " + queue + ", " + pending + " of them not done"
                : "partition " + partition + " of queue " + queue));
    long removed =
        partition == null
            ? admin().queues().clear(queue)
            : admin().queues().clearPartition(queue, partition);
    session.say(Map.of("queue", queue, "removed", removed), removed + " messages removed");
    return done();
  }
}
