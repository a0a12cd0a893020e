package dev.queenmq.cli.command;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.client.admin.system.UpkeepJob;
import dev.queenmq.client.admin.system.UpkeepResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "upkeep", description = "Lists the background jobs, or runs one now.")
public final class UpkeepCommand extends QueenCommand {

  @Option(names = "--run", paramLabel = "JOB", description = "Run this job now.")
  private @Nullable String job;

  @Option(
      names = {"-w", "--wait"},
      paramLabel = "TIME",
      description = "How long to wait for its end, 60s unless given.")
  private Duration wait = Duration.ofSeconds(60);

  public UpkeepCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    if (job != null) {
      UpkeepResult result = admin().system().runUpkeep(job, wait);
      session.say(
          result,
          result.isDone()
              ? job + " removed " + result.removed() + " in " + result.tookMs() + " ms"
              : job + " is still running");
      return done();
    }
    List<UpkeepJob> jobs = admin().system().upkeep();
    Table table = new Table("JOB", "RUNS ON", "NEXT", "LAST RUN", "REMOVED", "ERROR");
    for (UpkeepJob each : jobs) {
      UpkeepJob.@Nullable Run last = each.runs().isEmpty() ? null : each.runs().get(0);
      table.row(
          each.name(),
          each.holder(),
          Moments.text(each.nextDueAt()),
          last == null ? "" : Moments.age(last.startedAt()),
          last == null ? null : last.removed(),
          last == null ? "" : last.error());
    }
    session.show(jobs, table, "no jobs");
    return done();
  }
}
