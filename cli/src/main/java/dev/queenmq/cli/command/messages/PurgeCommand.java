package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.Progress;
import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.messages.DeadLetter;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * Removes dead letters from the newest to the oldest, a page of times at a time, so that no single
 * call has to remove very many.
 */
@Command(name = "purge", description = "Removes dead letters for good.")
public final class PurgeCommand extends DeadLetterCommand {
  private static final int STEP = 1_000;

  public PurgeCommand(Session session) {
    super(session);
  }

  @Override
  void change(String queue, DeadLetterFilter filter, long total) {
    confirm("This removes %s of queue %s for good".formatted(LetterSelection.count(total), queue));
    long purged;
    try (Progress progress = new Progress(session, "removed", total)) {
      boolean more = filter.transactionIds().isEmpty();
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
