package dev.queenmq.cli;

import dev.queenmq.cli.command.BrokersCommand;
import dev.queenmq.cli.command.CompletionCommand;
import dev.queenmq.cli.command.ContextCommand;
import dev.queenmq.cli.command.MaintenanceCommand;
import dev.queenmq.cli.command.StatusCommand;
import dev.queenmq.cli.command.UpkeepCommand;
import dev.queenmq.cli.command.groups.ForgetCommand;
import dev.queenmq.cli.command.groups.GroupCommand;
import dev.queenmq.cli.command.groups.GroupsCommand;
import dev.queenmq.cli.command.groups.LagCommand;
import dev.queenmq.cli.command.groups.LeasesCommand;
import dev.queenmq.cli.command.groups.ReleaseCommand;
import dev.queenmq.cli.command.groups.SeekCommand;
import dev.queenmq.cli.command.messages.AckCommand;
import dev.queenmq.cli.command.messages.DlqCommand;
import dev.queenmq.cli.command.messages.ExportCommand;
import dev.queenmq.cli.command.messages.ImportCommand;
import dev.queenmq.cli.command.messages.MessageCommand;
import dev.queenmq.cli.command.messages.MessagesCommand;
import dev.queenmq.cli.command.messages.PopCommand;
import dev.queenmq.cli.command.messages.PurgeCommand;
import dev.queenmq.cli.command.messages.PushCommand;
import dev.queenmq.cli.command.messages.RedriveCommand;
import dev.queenmq.cli.command.messages.TailCommand;
import dev.queenmq.cli.command.messages.TraceCommand;
import dev.queenmq.cli.command.queues.ClearCommand;
import dev.queenmq.cli.command.queues.ConfigureCommand;
import dev.queenmq.cli.command.queues.DeleteCommand;
import dev.queenmq.cli.command.queues.PauseCommand;
import dev.queenmq.cli.command.queues.QueueCommand;
import dev.queenmq.cli.command.queues.QueuesCommand;
import dev.queenmq.cli.command.queues.ResumeCommand;
import java.util.List;
import picocli.CommandLine;

/** All commands, in the order of the help. */
final class Commands {
  private static final List<String> NAMES =
      List.of(
          "status",
          "push",
          "pop",
          "ack",
          "tail",
          "queues",
          "queue",
          "configure",
          "pause",
          "resume",
          "clear",
          "delete",
          "groups",
          "group",
          "lag",
          "seek",
          "forget",
          "leases",
          "release",
          "messages",
          "message",
          "dlq",
          "redrive",
          "purge",
          "trace",
          "export",
          "import",
          "brokers",
          "upkeep",
          "maintenance",
          "context",
          "completion");

  private Commands() {}

  /**
   * Adds commands.
   *
   * @param first argument; only what it needs is added
   */
  static void addTo(CommandLine line, Session session, String first) {
    if (NAMES.contains(first) && !first.equals("completion")) {
      line.addSubcommand(first, make(first, session));
    } else if (!first.equals("--version") && !first.equals("-V")) {
      NAMES.forEach(name -> line.addSubcommand(name, make(name, session)));
    }
  }

  /** Not a map of constructors: to make one for each command loads the classes of all. */
  private static Object make(String name, Session session) {
    return switch (name) {
      case "status" -> new StatusCommand(session);
      case "push" -> new PushCommand(session);
      case "pop" -> new PopCommand(session);
      case "ack" -> new AckCommand(session);
      case "tail" -> new TailCommand(session);
      case "queues" -> new QueuesCommand(session);
      case "queue" -> new QueueCommand(session);
      case "configure" -> new ConfigureCommand(session);
      case "pause" -> new PauseCommand(session);
      case "resume" -> new ResumeCommand(session);
      case "clear" -> new ClearCommand(session);
      case "delete" -> new DeleteCommand(session);
      case "groups" -> new GroupsCommand(session);
      case "group" -> new GroupCommand(session);
      case "lag" -> new LagCommand(session);
      case "seek" -> new SeekCommand(session);
      case "forget" -> new ForgetCommand(session);
      case "leases" -> new LeasesCommand(session);
      case "release" -> new ReleaseCommand(session);
      case "messages" -> new MessagesCommand(session);
      case "message" -> new MessageCommand(session);
      case "dlq" -> new DlqCommand(session);
      case "redrive" -> new RedriveCommand(session);
      case "purge" -> new PurgeCommand(session);
      case "trace" -> new TraceCommand(session);
      case "export" -> new ExportCommand(session);
      case "import" -> new ImportCommand(session);
      case "brokers" -> new BrokersCommand(session);
      case "upkeep" -> new UpkeepCommand(session);
      case "maintenance" -> new MaintenanceCommand(session);
      case "context" -> new ContextCommand(session);
      case "completion" -> new CompletionCommand(session);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
