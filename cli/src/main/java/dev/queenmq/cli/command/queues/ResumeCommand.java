package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.groups.PauseState;
import picocli.CommandLine.Command;

@Command(name = "resume", description = "Lets the pops of a queue, or of one group, go on.")
public final class ResumeCommand extends PopSwitchCommand {

  public ResumeCommand(Session session) {
    super(session);
  }

  @Override
  PauseState change(String queue) {
    return admin().queues().resume(queue);
  }

  @Override
  PauseState change(String queue, String group) {
    return admin().groups().resume(group, queue);
  }
}
