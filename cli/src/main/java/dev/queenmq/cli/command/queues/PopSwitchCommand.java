package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.PauseState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that pauses or resumes the pops of a queue, or of one group on it. */
abstract class PopSwitchCommand extends QueenCommand {

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-g", "--group"},
      description = "Only this group.")
  private @Nullable String group;

  PopSwitchCommand(Session session) {
    super(session);
  }

  abstract PauseState change(String queue);

  abstract PauseState change(String queue, String group);

  @Override
  protected final int run() {
    PauseState state = group == null ? change(queue) : change(queue, group);
    session.say(state, sentence(state));
    return done();
  }

  private static String sentence(PauseState state) {
    String group = state.consumerGroup();
    return (group == null ? "" : "group " + group + " on ")
        + "queue "
        + state.queue()
        + (state.paused() ? " is paused" : " goes on")
        + (state.changed() ? "" : ", as before");
  }
}
