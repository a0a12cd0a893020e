package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.groups.PauseState;
import picocli.CommandLine.Command;

@Command(
    name = "pause",
    description = "Pauses the pops of a queue, or of one group. Pushes and acks go on.")
public final class PauseCommand extends PopSwitchCommand {

  public PauseCommand(Session session) {
    super(session);
  }

  @Override
  PauseState change(String queue) {
    return admin().queues().pause(queue);
  }

  @Override
  PauseState change(String queue, String group) {
    return admin().groups().pause(group, queue);
  }
}
