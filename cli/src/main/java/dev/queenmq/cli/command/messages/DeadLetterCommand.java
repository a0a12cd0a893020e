package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.query.Paging;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes the selected dead letters of one queue, and asks before it does. */
abstract class DeadLetterCommand extends QueenCommand {

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

  DeadLetterCommand(Session session) {
    super(session);
  }

  @Override
  protected final int run() {
    String queue = selection.queue();
    DeadLetterFilter filter = selection.filter(transactionIds);
    long total =
        transactionIds.isEmpty()
            ? Objects.requireNonNullElse(
                admin().deadLetters().list(filter, Paging.of(1)).total(), 0L)
            : transactionIds.size();
    if (total == 0) {
      requireQueue(queue);
    }
    change(queue, filter, total);
    return done();
  }

  /**
   * Changes them.
   *
   * @param total how many are selected
   */
  abstract void change(String queue, DeadLetterFilter filter, long total);

  /** Ends the command unless the user agrees. */
  final void confirm(String what) {
    session.confirm(yes, what);
  }
}
