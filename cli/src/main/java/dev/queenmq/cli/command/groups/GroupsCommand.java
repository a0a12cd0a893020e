package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.GroupSummary;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "groups",
    description = "Lists consumer groups on queues, and how far behind they are.")
public final class GroupsCommand extends QueenCommand {

  @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Only those on this queue.")
  private @Nullable String queue;

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 1,000 unless given.")
  private int limit = 1_000;

  public GroupsCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    List<GroupSummary> groups =
        Page.all(Paging.of(1_000), paging -> admin().groups().list(paging))
            .filter(group -> queue == null || group.queue().equals(queue))
            .limit(limit)
            .toList();
    if (groups.isEmpty() && queue != null) {
      requireQueue(queue);
    }
    Table table = new Table("GROUP", "QUEUE", "LAG", "OLDEST", "PARTITIONS", "LEASES", "STATE");
    groups.forEach(
        group ->
            table.row(
                group.name(),
                group.queue(),
                group.totalLag(),
                Moments.length(Duration.ofSeconds(group.maxTimeLagSeconds())),
                group.startedPartitions(),
                group.activeLeases(),
                state(group)));
    session.show(groups, table, "no groups");
    return done();
  }

  /** What the group does, in one word. */
  public static String state(GroupSummary group) {
    return group.paused() ? "paused" : group.state().name().toLowerCase(Locale.ROOT);
  }
}
