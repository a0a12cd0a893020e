package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.MessageDetails;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "message", description = "Shows a message with its payload, or deletes it.")
public final class MessageCommand extends QueenCommand {

  @Parameters(index = "0", paramLabel = "PARTITION_ID")
  private UUID partitionId = new UUID(0, 0);

  @Parameters(index = "1", paramLabel = "TRANSACTION_ID")
  private String transactionId = "";

  @Option(names = "--delete", description = "Delete it for all groups.")
  private boolean delete;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public MessageCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    MessageDetails message =
        admin()
            .messages()
            .find(partitionId, transactionId)
            .orElseThrow(
                () ->
                    new CliException(
                        ExitCode.REFUSED,
                        "there is no message '" + transactionId + "' in that partition"));
    if (delete) {
      session.confirm(yes, "This deletes message " + transactionId + " for all groups");
      admin().messages().delete(partitionId, transactionId);
      session.say(message, transactionId + " is deleted");
      return done();
    }
    Table table = new Table("MESSAGE", message.id().toString());
    table.row("transaction id", message.transactionId());
    table.row("queue", message.queue());
    table.row("partition", message.partition());
    table.row("status", message.status().word());
    table.row("created", Moments.text(message.createdAt()));
    table.row("leased until", Moments.text(message.leaseExpiresAt()));
    table.row("error", message.errorMessage());
    message
        .consumerGroups()
        .forEach(
            group -> table.row("group " + group.name(), group.consumed() ? "done" : "not done"));
    session.show(message, table, "");
    if (!session.json()) {
      session.out().println();
      session.out().println(Printer.document(message.payload()));
    }
    return done();
  }
}
