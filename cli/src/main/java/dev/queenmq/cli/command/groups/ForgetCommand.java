package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.GroupDeletion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "forget",
    description = "Deletes the position of a consumer group. If it polls again, it is a new group.")
public final class ForgetCommand extends QueenCommand {

  @Parameters(paramLabel = "GROUP")
  private String group = "";

  @Option(
      names = {"-q", "--queue"},
      description = "Only on this queue.")
  private @Nullable String queue;

  @Option(
      names = "--keep-subscription",
      description = "If it polls again, it starts where it first started.")
  private boolean keep;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public ForgetCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    String where = queue == null ? " on all queues" : " on queue " + queue;
    session.confirm(yes, "This deletes the position of group " + group + where);
    GroupDeletion result =
        queue == null
            ? admin().groups().delete(group, keep)
            : admin().groups().delete(group, queue, keep);
    if (!result.deleted()) {
      throw new CliException(
          ExitCode.REFUSED, "there is no group '" + group + "'" + (queue == null ? "" : where));
    }
    session.say(
        result,
        "the position of group "
            + group
            + " is deleted in "
            + result.deletedPartitions()
            + " partitions");
    return done();
  }
}
