package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.Count;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.DeadLetter;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "dlq",
    description = "Lists dead letters of a queue, or of all, the latest failure first.")
public final class DlqCommand extends QueenCommand {

  /** How often an error happened, as scripts get it. */
  record ErrorCount(long count, String queue, String error) {}

  private record QueueError(String queue, String error) {}

  @Mixin private LetterSelection selection = new LetterSelection();

  @Option(
      names = {"-n", "--limit"},
      converter = Count.class,
      description = "At most this many, 20 unless given.")
  private int limit = 20;

  @Option(names = "--errors", description = "Count them by error instead, all of them.")
  private boolean errors;

  public DlqCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    return errors ? byError() : list();
  }

  private int list() {
    List<DeadLetter> letters =
        Page.all(
                Paging.of(Math.min(limit, 1_000)),
                paging -> admin().deadLetters().list(selection.filter(), paging))
            .limit(limit)
            .toList();
    if (letters.isEmpty() && selection.hasQueue()) {
      requireQueue(selection.queue());
    }
    List<String> columns =
        new ArrayList<>(
            List.of(
                "FAILED", "PARTITION", "TRANSACTION ID", "GROUP", "RETRIES", "ERROR", "PAYLOAD"));
    if (!selection.hasQueue()) {
      columns.add(1, "QUEUE");
    }
    Table table = new Table(columns.toArray(String[]::new));
    for (DeadLetter letter : letters) {
      List<@Nullable Object> row = new ArrayList<>();
      row.add(Moments.age(letter.failedAt()));
      if (!selection.hasQueue()) {
        row.add(letter.queue());
      }
      row.add(letter.partition());
      row.add(letter.transactionId());
      row.add(letter.consumerGroup());
      row.add(letter.retryCount());
      row.add(letter.errorMessage());
      row.add(letter.payload());
      table.row(row.toArray());
    }
    session.show(letters, table, "no dead letters");
    return done();
  }

  private int byError() {
    Map<QueueError, Long> counts = new LinkedHashMap<>();
    Page.all(Paging.of(1_000), paging -> admin().deadLetters().list(selection.filter(), paging))
        .forEach(
            letter ->
                counts.merge(
                    new QueueError(
                        letter.queue(), Objects.requireNonNullElse(letter.errorMessage(), "")),
                    1L,
                    Long::sum));
    if (counts.isEmpty() && selection.hasQueue()) {
      requireQueue(selection.queue());
    }
    List<ErrorCount> found =
        counts.entrySet().stream()
            .map(each -> new ErrorCount(each.getValue(), each.getKey().queue, each.getKey().error))
            .sorted(
                Comparator.comparingLong(ErrorCount::count)
                    .reversed()
                    .thenComparing(ErrorCount::queue)
                    .thenComparing(ErrorCount::error))
            .toList();
    Table table = new Table("COUNT", "QUEUE", "ERROR");
    found.forEach(each -> table.row(each.count(), each.queue(), each.error()));
    session.show(found, table, "no dead letters");
    return done();
  }
}
