package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.LaggingPartition;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "lag",
    description = "Shows the partitions in which a group is far behind, the oldest message first.")
public final class LagCommand extends QueenCommand {

  @Option(
      names = {"-m", "--min"},
      paramLabel = "TIME",
      description = "How old its oldest message must be, 60s unless given.")
  private Duration atLeast = Duration.ofSeconds(60);

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 50 unless given.")
  private int limit = 50;

  public LagCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    List<LaggingPartition> lagging = admin().groups().lagging(atLeast, limit);
    Table table = new Table("OLDEST", "LAG", "GROUP", "QUEUE", "PARTITION", "LAST ACK", "LEASE");
    lagging.forEach(
        each ->
            table.row(
                Moments.length(Duration.ofSeconds(each.timeLagSeconds())),
                each.offsetLag(),
                each.consumerGroup(),
                each.queue(),
                each.partition(),
                Moments.age(each.lastConsumedAt()),
                each.leaseId()));
    session.show(lagging, table, "no group is behind by " + Moments.length(atLeast));
    return done();
  }
}
