package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** All commands, in the order of the help. */
public final class Commands {
  private static final Map<String, Function<Session, Object>> ALL = all();

  private Commands() {}

  private static Map<String, Function<Session, Object>> all() {
    Map<String, Function<Session, Object>> all = new LinkedHashMap<>();
    all.put("status", StatusCommand::new);
    all.put("push", PushCommand::new);
    all.put("pop", PopCommand::new);
    all.put("ack", AckCommand::new);
    all.put("tail", TailCommand::new);
    all.put("queues", QueuesCommand::new);
    all.put("queue", QueueCommand::new);
    all.put("configure", ConfigureCommand::new);
    all.put("pause", PauseCommand::new);
    all.put("resume", ResumeCommand::new);
    all.put("clear", ClearCommand::new);
    all.put("delete", DeleteCommand::new);
    all.put("groups", GroupsCommand::new);
    all.put("group", GroupCommand::new);
    all.put("lag", LagCommand::new);
    all.put("seek", SeekCommand::new);
    all.put("forget", ForgetCommand::new);
    all.put("leases", LeasesCommand::new);
    all.put("release", ReleaseCommand::new);
    all.put("messages", MessagesCommand::new);
    all.put("message", MessageCommand::new);
    all.put("dlq", DlqCommand::new);
    all.put("redrive", RedriveCommand::new);
    all.put("purge", PurgeCommand::new);
    all.put("trace", TraceCommand::new);
    all.put("export", ExportCommand::new);
    all.put("import", ImportCommand::new);
    all.put("brokers", BrokersCommand::new);
    all.put("upkeep", UpkeepCommand::new);
    all.put("maintenance", MaintenanceCommand::new);
    all.put("context", ContextCommand::new);
    all.put("completion", CompletionCommand::new);
    return Collections.unmodifiableMap(all);
  }

  /**
   * Adds commands.
   *
   * @param first argument; only what it needs is added
   */
  public static void addTo(CommandLine line, Session session, String first) {
    Function<Session, Object> one = ALL.get(first);
    if (one != null && !first.equals("completion")) {
      line.addSubcommand(first, one.apply(session));
    } else if (!first.equals("--version") && !first.equals("-V")) {
      ALL.forEach((name, make) -> line.addSubcommand(name, make.apply(session)));
    }
  }
}
