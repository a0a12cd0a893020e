package dev.queenmq.cli.command;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.client.admin.DeadLetter;
import dev.queenmq.client.admin.Page;
import dev.queenmq.client.admin.Paging;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "dlq", description = "Lists dead letters of a queue, the latest failure first.")
final class DlqCommand extends QueenCommand {

  @Mixin private LetterSelection selection = new LetterSelection();

  @Option(
      names = {"-n", "--limit"},
      description = "At most this many, 20 unless given.")
  private int limit = 20;

  @Option(names = "--errors", description = "Count them by error instead, all of them.")
  private boolean errors;

  DlqCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    return errors ? byError() : list();
  }

  private int list() {
    List<DeadLetter> letters =
        Page.all(
                Paging.of(Math.min(limit, 1_000)),
                paging -> admin().deadLetters().list(selection.filter(), paging))
            .limit(limit)
            .toList();
    Table table =
        new Table("FAILED", "PARTITION", "TRANSACTION ID", "GROUP", "RETRIES", "ERROR", "PAYLOAD");
    letters.forEach(
        letter ->
            table.row(
                Moments.age(letter.failedAt()),
                letter.partition(),
                letter.transactionId(),
                letter.consumerGroup(),
                letter.retryCount(),
                letter.errorMessage(),
                letter.payload()));
    session.show(letters, table, "no dead letters");
    return done();
  }

  private int byError() {
    Map<String, Long> counts = new TreeMap<>();
    Page.all(Paging.of(1_000), paging -> admin().deadLetters().list(selection.filter(), paging))
        .forEach(
            letter ->
                counts.merge(Objects.requireNonNullElse(letter.errorMessage(), ""), 1L, Long::sum));
    Table table = new Table("COUNT", "ERROR");
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(each -> table.row(each.getValue(), each.getKey()));
    session.show(counts, table, "no dead letters");
    return done();
  }
}
