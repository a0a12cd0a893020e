package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "delete",
    description = "Removes a queue or a partition, its messages, dead letters and group positions.")
public final class DeleteCommand extends RemovalCommand {

  public DeleteCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    confirm("This removes " + target() + " and everything in it");
    boolean deleted =
        partition == null
            ? admin().queues().delete(queue)
            : admin().queues().deletePartition(queue, partition);
    if (!deleted) {
      throw new CliException(ExitCode.REFUSED, "there is no " + target());
    }
    session.say(Map.of("queue", queue, "deleted", true), target() + " is deleted");
    return done();
  }
}
