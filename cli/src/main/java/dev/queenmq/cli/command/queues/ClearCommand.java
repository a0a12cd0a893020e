package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Session;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "clear",
    description = "Removes all messages of a queue or partition. Groups and dead letters stay.")
public final class ClearCommand extends RemovalCommand {

  public ClearCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    long pending =
        admin().queues().find(queue).orElseThrow(() -> missing(queue)).totals().pending();
    confirm(
        "This removes all messages of "
            + target()
            + (partition == null ? ", " + pending + " of them not done" : ""));
    long removed =
        partition == null
            ? admin().queues().clear(queue)
            : admin().queues().clearPartition(queue, partition);
    session.say(Map.of("queue", queue, "removed", removed), removed + " messages removed");
    return done();
  }
}
