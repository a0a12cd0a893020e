package dev.queenmq.cli.command.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.MessageDetails;
import dev.queenmq.client.admin.messages.MessageFilter;
import dev.queenmq.client.admin.messages.StoredMessage;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Follows a queue through the list of stored messages, so that no group has to exist for it and
 * nothing is consumed. A message can become visible after a younger one of another partition:
 * therefore each look goes back over the last seconds, and what was shown is remembered.
 */
@Command(
    name = "tail",
    description =
        "Shows messages as they are pushed. Consumes nothing; other consumers do not notice.")
public final class TailCommand extends QueenCommand {
  private static final Duration OVERLAP = Duration.ofSeconds(10);
  private static final int PAGE = 500;
  private static final int REMEMBERED = 50_000;

  @Parameters(paramLabel = "QUEUE")
  private String queue = "";

  @Option(
      names = {"-p", "--partition"},
      description = "Only this lane.")
  private @Nullable String partition;

  @Option(
      names = {"-n", "--lines"},
      description = "How many earlier messages to show first, 10 unless given.")
  private int lines = 10;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Begin with messages since then, for example 10m or 2026-11-15T09:00:00Z.")
  private @Nullable Instant since;

  @Option(names = "--no-follow", description = "End with what is there.")
  private boolean noFollow;

  @Option(names = "--count", description = "End after this many messages.")
  private long count = Long.MAX_VALUE;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "How often to look, 500ms unless given.")
  private Duration every = Duration.ofMillis(500);

  private final Set<UUID> shown = new LinkedHashSet<>();
  private long printed;

  public TailCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    Instant newest = since == null ? latest() : since;
    if (since == null) {
      // What is there now is not new, but only the last lines of it are shown.
      remember(look(newest.minus(OVERLAP), Integer.MAX_VALUE));
    }
    List<StoredMessage> messages =
        since == null ? look(Instant.EPOCH, lines) : look(since, Integer.MAX_VALUE);
    if (messages.isEmpty() && lines > 0) {
      warnIfMissing();
    }
    print(messages);
    try {
      while (!noFollow && printed < count) {
        Thread.sleep(Math.max(50, every.toMillis()));
        List<StoredMessage> next = look(newest.minus(OVERLAP), Integer.MAX_VALUE);
        next.removeIf(message -> shown.contains(message.id()));
        for (StoredMessage message : next) {
          newest = message.createdAt().isAfter(newest) ? message.createdAt() : newest;
        }
        print(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return done();
  }

  /** It may come into being with the next push, or its name may be misspelt. */
  private void warnIfMissing() {
    if (noFollow) {
      requireQueue(queue);
    } else if (admin().queues().find(queue, Paging.of(1)).isEmpty()) {
      session.terminal().err().println("there is no queue '" + queue + "' yet");
    }
  }

  /** By the clock of the database, which may differ from ours. */
  private Instant latest() {
    List<StoredMessage> last = look(Instant.EPOCH, 1);
    return last.isEmpty() ? Instant.EPOCH.plus(OVERLAP) : last.get(0).createdAt();
  }

  /** The newest messages since a moment, the oldest first. */
  private List<StoredMessage> look(Instant from, int most) {
    MessageFilter filter = MessageFilter.queue(queue).created(new TimeRange(from, null));
    MessageFilter wanted = partition == null ? filter : filter.partition(partition);
    List<StoredMessage> messages = new ArrayList<>();
    if (most > 0) {
      Page.all(Paging.of(Math.min(most, PAGE)), paging -> admin().messages().list(wanted, paging))
          .takeWhile(message -> !message.createdAt().isBefore(from))
          .limit(most)
          .forEach(messages::add);
    }
    Collections.reverse(messages);
    return messages;
  }

  private void remember(List<StoredMessage> messages) {
    messages.forEach(message -> shown.add(message.id()));
    while (shown.size() > REMEMBERED) {
      shown.remove(shown.iterator().next());
    }
  }

  private void print(List<StoredMessage> messages) {
    remember(messages);
    for (StoredMessage message : messages) {
      String transactionId = message.transactionId();
      if (printed == count || transactionId == null) {
        continue;
      }
      Optional<MessageDetails> details =
          admin().messages().find(message.partitionId(), transactionId);
      String payload = details.map(each -> each.payload().toString()).orElse("(gone)");
      if (session.json()) {
        ObjectNode line = Printer.mapper().createObjectNode();
        line.put("id", message.id().toString());
        line.put("transactionId", transactionId);
        line.put("queue", message.queue());
        line.put("partition", message.partition());
        line.put("createdAt", message.createdAt().toString());
        line.set("payload", details.map(MessageDetails::payload).orElse(null));
        session.out().println(line);
      } else {
        session
            .out()
            .println(
                "%s  %s  %s  %s"
                    .formatted(
                        Moments.text(message.createdAt()),
                        Table.printable(message.partition()),
                        Table.printable(transactionId),
                        Table.printable(payload)));
      }
      session.flush();
      printed++;
    }
  }
}
