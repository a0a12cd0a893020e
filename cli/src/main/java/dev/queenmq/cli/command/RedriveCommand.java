package dev.queenmq.cli.command;

import dev.queenmq.cli.Progress;
import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.messages.RedriveResult;
import dev.queenmq.client.admin.query.Paging;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "redrive", description = "Gives dead letters back to the groups that gave them up.")
final class RedriveCommand extends QueenCommand {

  @Mixin private LetterSelection selection = new LetterSelection();

  @Parameters(
      index = "1..*",
      paramLabel = "TRANSACTION_ID",
      description = "Only those of these messages.")
  private List<String> transactionIds = new ArrayList<>();

  @Option(names = "--limit", description = "At most this many.")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--step", description = "How many in one transaction, 1,000 unless given.")
  private int step = 1_000;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  RedriveCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    String queue = selection.queue();
    DeadLetterFilter filter = selection.filter(transactionIds);
    long total =
        transactionIds.isEmpty()
            ? Objects.requireNonNullElse(
                admin().deadLetters().list(filter, Paging.of(1)).total(), 0L)
            : transactionIds.size();
    if (total == 0) {
      requireQueue(selection.queue());
    }
    long wanted = Math.min(total, limit);
    session.confirm(
        yes, "This gives %s of queue %s back".formatted(LetterSelection.count(wanted), queue));
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
        LetterSelection.count(redriven) + " given back");
    return done();
  }
}
