package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.groups.PauseState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "pause",
    description = "Pauses the pops of a queue, or of one group. Pushes and acks go on.")
final class PauseCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-g", "--group"},
      description = "Only this group.")
  private @Nullable String group;

  PauseCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    PauseState state =
        group == null ? admin().queues().pause(queue) : admin().groups().pause(group, queue);
    session.say(state, ResumeCommand.sentence(state));
    return done();
  }
}
