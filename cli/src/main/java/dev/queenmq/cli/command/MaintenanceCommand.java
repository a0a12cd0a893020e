package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.system.MaintenanceStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "maintenance",
    description = "Shows or switches maintenance of pushes and pops, at all brokers.")
public final class MaintenanceCommand extends QueenCommand {

  /** The values that users type. */
  enum Switch {
    on,
    off
  }

  @Option(names = "--pushes", paramLabel = "on|off", description = "Keep pushes in the spools.")
  private @Nullable Switch pushes;

  @Option(names = "--pops", paramLabel = "on|off", description = "Let pops find nothing.")
  private @Nullable Switch pops;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public MaintenanceCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    if (pushes == Switch.on || pops == Switch.on) {
      session.confirm(yes, "This concerns all clients of all brokers");
    }
    if (pushes != null) {
      admin().system().setMaintenance(pushes == Switch.on);
    }
    if (pops != null) {
      admin().system().setPopMaintenance(pops == Switch.on);
    }
    MaintenanceStatus status = admin().system().maintenance();
    session.say(
        status,
        "pushes %s, pops %s, %d messages in the spool"
            .formatted(
                status.pushes() ? "stay in the spool" : "go to PostgreSQL",
                Boolean.TRUE.equals(status.pops()) ? "find nothing" : "find what there is",
                status.spooledMessages()));
    return done();
  }
}
