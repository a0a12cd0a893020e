package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.GroupPartition;
import dev.queenmq.client.admin.query.Page;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "group", description = "Shows a group partition by partition, the most lag first.")
public final class GroupCommand extends QueenCommand {

  @Parameters(paramLabel = "GROUP")
  private String group = "";

  @Option(
      names = {"-q", "--queue"},
      description = "Only this queue.")
  private @Nullable String queue;

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 100 unless given.")
  private int limit = 100;

  public GroupCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    List<GroupPartition> partitions =
        Page.all(paging -> admin().groups().partitions(group, paging))
            .filter(each -> queue == null || each.queue().equals(queue))
            .sorted(Comparator.comparingLong(GroupPartition::offsetLag).reversed())
            .limit(limit)
            .toList();
    if (partitions.isEmpty()) {
      throw new CliException(ExitCode.REFUSED, "there is no group '" + group + "'");
    }
    Table table = new Table("QUEUE", "PARTITION", "LAG", "OLDEST", "LAST ACK", "DONE", "LEASE");
    partitions.forEach(
        each ->
            table.row(
                each.queue(),
                each.partition(),
                each.offsetLag(),
                Moments.length(Duration.ofSeconds(each.timeLagSeconds())),
                Moments.age(each.lastConsumedAt()),
                each.totalConsumed(),
                each.leaseId()));
    session.show(partitions, table, "");
    return done();
  }
}
