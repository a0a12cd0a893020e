package dev.queenmq.cli.command.queues;

import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that removes something of a queue or of one of its partitions, and asks before. */
abstract class RemovalCommand extends QueenCommand {

  /** The queue. */
  @Parameters(paramLabel = "QUEUE")
  String queue = "";

  /** The partition; null for the whole queue. */
  @Option(
      names = {"-p", "--partition"},
      description = "Only this lane.")
  @Nullable String partition;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  RemovalCommand(Session session) {
    super(session);
  }

  /** What it is about, for people. */
  final String target() {
    return partition == null ? "queue " + queue : "partition " + partition + " of queue " + queue;
  }

  /** Ends the command unless the user agrees. */
  final void confirm(String what) {
    session.confirm(yes, what);
  }
}
