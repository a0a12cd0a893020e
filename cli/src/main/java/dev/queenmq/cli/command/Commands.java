package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import java.util.List;
import picocli.CommandLine;

/** All commands, in the order of the help. */
public final class Commands {
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
  public static void addTo(CommandLine line, Session session, String first) {
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
