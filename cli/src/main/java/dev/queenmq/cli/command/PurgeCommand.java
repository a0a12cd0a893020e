package dev.queenmq.cli.command;

import dev.queenmq.cli.Progress;
import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.messages.DeadLetter;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Removes dead letters from the newest to the oldest, a page of times at a time, so that no single
 * call has to remove very many.
 */
@Command(name = "purge", description = "Removes dead letters for good.")
final class PurgeCommand extends QueenCommand {
  private static final int STEP = 1_000;

  @Mixin private LetterSelection selection = new LetterSelection();

  @Parameters(
      index = "1..*",
      paramLabel = "TRANSACTION_ID",
      description = "Only those of these messages.")
  private List<String> transactionIds = new ArrayList<>();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  PurgeCommand(Session session) {
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
    session.confirm(
        yes, "This removes %s of queue %s for good".formatted(LetterSelection.count(total), queue));
    long purged;
    try (Progress progress = new Progress(session, "removed", total)) {
      boolean more = transactionIds.isEmpty();
      while (more) {
        Page<DeadLetter> page = admin().deadLetters().list(filter, Paging.of(1, STEP));
        more = !page.items().isEmpty();
        if (more) {
          Instant from = page.items().get(0).failedAt();
          progress.add(admin().deadLetters().purge(since(filter, from)));
        }
      }
      progress.add(admin().deadLetters().purge(filter));
      purged = progress.done();
    }
    session.say(
        Map.of("queue", queue, "purged", purged), LetterSelection.count(purged) + " removed");
    return done();
  }

  private static DeadLetterFilter since(DeadLetterFilter filter, Instant from) {
    return new DeadLetterFilter(
        filter.queue(),
        filter.partition(),
        filter.consumerGroup(),
        from,
        filter.to(),
        filter.transactionIds());
  }
}
