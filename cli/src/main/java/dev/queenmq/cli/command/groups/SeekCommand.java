package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.SeekResult;
import dev.queenmq.client.admin.groups.SeekTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "seek",
    description =
        "Moves a group on a queue. Its leases end; what it passes is not delivered to it.")
public final class SeekCommand extends QueenCommand {

  /** One of them. */
  static final class Where {
    @Option(names = "--end", description = "Behind the newest message.")
    private boolean end;

    @Option(names = "--beginning", description = "To the oldest message that is stored.")
    private boolean beginning;

    @Option(
        names = "--to",
        paramLabel = "TIME",
        description = "After a time, or a time ago, for example 2026-11-15T09:00:00Z or 2h.")
    private @Nullable Instant moment;

    SeekTarget target() {
      if (moment != null) {
        return SeekTarget.after(moment);
      }
      if (beginning) {
        return SeekTarget.beginning();
      }
      if (end) {
        return SeekTarget.end();
      }
      throw new IllegalStateException("one of the options is required");
    }
  }

  @Parameters(index = "0", paramLabel = "GROUP")
  private String group = "";

  @Parameters(index = "1", paramLabel = "QUEUE")
  private String queue = "";

  @ArgGroup(multiplicity = "1")
  private Where where = new Where();

  @Option(
      names = {"-p", "--partition"},
      description = "Only in this lane.")
  private @Nullable String partition;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public SeekCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    session.confirm(yes, "This moves group " + group + " on queue " + queue);
    SeekResult result =
        partition == null
            ? admin().groups().seek(group, queue, where.target())
            : admin().groups().seekPartition(group, queue, partition, where.target());
    session.say(
        result,
        "group "
            + group
            + " was moved in "
            + result.partitionsUpdated()
            + " partitions of "
            + queue);
    return done();
  }
}
