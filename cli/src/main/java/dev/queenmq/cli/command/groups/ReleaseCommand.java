package dev.queenmq.cli.command.groups;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "release",
    description = "Ends a lease, so that its messages are delivered again at once.")
public final class ReleaseCommand extends QueenCommand {

  @Parameters(paramLabel = "LEASE")
  private UUID lease = new UUID(0, 0);

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public ReleaseCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    session.confirm(yes, "This ends the lease; its consumer cannot ack any more");
    int partitions = admin().leases().release(lease);
    if (partitions == 0) {
      throw new CliException(
          ExitCode.REFUSED, "there is no lease " + lease + "; it may have ended");
    }
    session.say(
        Map.of("leaseId", lease, "partitions", partitions),
        "the lease is ended on " + (partitions == 1 ? "1 partition" : partitions + " partitions"));
    return done();
  }
}
