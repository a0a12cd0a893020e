package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.Progress;
import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.messages.RedriveResult;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "redrive",
    description = "Delivers dead letters again to the groups that failed them.")
public final class RedriveCommand extends DeadLetterCommand {

  @Option(names = "--limit", description = "At most this many.")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--step", description = "How many in one transaction, 1,000 unless given.")
  private int step = 1_000;

  public RedriveCommand(Session session) {
    super(session);
  }

  @Override
  void change(String queue, DeadLetterFilter filter, long total) {
    long wanted = Math.min(total, limit);
    confirm("This delivers %s of queue %s again".formatted(LetterSelection.count(wanted), queue));
    long redriven = 0;
    try (Progress progress = new Progress(session, "redriven", wanted)) {
      long remaining = 1;
      while (redriven < limit && remaining > 0) {
        RedriveResult result =
            admin().deadLetters().redrive(filter, (int) Math.min(step, limit - redriven));
        redriven += result.redriven();
        progress.add(result.redriven());
        remaining = result.redriven() == 0 ? 0 : result.remaining();
      }
    }
    session.say(
        Map.of("queue", queue, "redriven", redriven),
        LetterSelection.count(redriven) + " redriven");
  }
}
