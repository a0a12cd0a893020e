package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.groups.PauseState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "resume", description = "Lets the pops of a queue, or of one group, go on.")
final class ResumeCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-g", "--group"},
      description = "Only this group.")
  private @Nullable String group;

  ResumeCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    PauseState state =
        group == null ? admin().queues().resume(queue) : admin().groups().resume(group, queue);
    session.say(state, sentence(state));
    return done();
  }

  static String sentence(PauseState state) {
    String group = state.consumerGroup();
    return (group == null ? "" : "group " + group + " on ")
        + "queue "
        + state.queue()
        + (state.paused() ? " is paused" : " goes on")
        + (state.changed() ? "" : ", as before");
  }
}
