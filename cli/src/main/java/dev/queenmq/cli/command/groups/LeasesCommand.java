package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.groups.Lease;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "leases",
    description = "Lists leases: which client holds messages, since when, and until when.")
public final class LeasesCommand extends QueenCommand {

  @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Only those of this queue.")
  private @Nullable String queue;

  @Option(
      names = {"-g", "--group"},
      description = "Only those of this group.")
  private @Nullable String group;

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 100 unless given.")
  private int limit = 100;

  public LeasesCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    List<Lease> leases =
        Page.all(
                Paging.of(Math.min(limit, 1_000)),
                paging -> admin().leases().list(queue, group, paging))
            .limit(limit)
            .toList();
    if (leases.isEmpty() && queue != null) {
      requireQueue(queue);
    }
    Table table =
        new Table(
            "LEASE", "QUEUE", "PARTITION", "GROUP", "MESSAGES", "DONE", "HELD", "UNTIL", "CLIENT");
    leases.forEach(
        lease ->
            table.row(
                lease.leaseId(),
                lease.queue(),
                lease.partition(),
                lease.consumerGroup(),
                lease.messages(),
                lease.done(),
                Moments.age(lease.since()),
                Moments.text(lease.until()),
                lease.subject() == null ? lease.address() : lease.subject()));
    session.show(leases, table, "no leases");
    return done();
  }
}
