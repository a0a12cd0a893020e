package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.messages.SettledMessage;
import dev.queenmq.client.admin.messages.Settlement;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "ack", description = "Says what became of a message that was popped.")
public final class AckCommand extends QueenCommand {

  /** The values that users type. */
  enum Outcome {
    completed,
    failed,
    retry,
    dlq
  }

  @Parameters(index = "0", paramLabel = "PARTITION_ID")
  private UUID partitionId = new UUID(0, 0);

  @Parameters(index = "1", paramLabel = "TRANSACTION_ID")
  private String transactionId = "";

  @Option(
      names = {"-l", "--lease"},
      description = "The lease; it must still hold.")
  private @Nullable UUID lease;

  @Option(
      names = {"-g", "--group"},
      description = "The consumer group, if there is no lease.")
  private @Nullable String group;

  @Option(
      names = {"-s", "--status"},
      description =
          "completed unless given; failed: deliver again; retry: again, uncounted; dlq: dead letter.")
  private Outcome status = Outcome.completed;

  @Option(
      names = {"-e", "--error"},
      description = "Kept with a dead letter.")
  private @Nullable String error;

  public AckCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    Settlement settlement =
        status == Outcome.dlq
            ? Settlement.DEAD_LETTER
            : Settlement.valueOf(status.name().toUpperCase(Locale.ROOT));
    SettledMessage result =
        admin().messages().settle(partitionId, transactionId, lease, group, settlement, error);
    if (!result.success()) {
      throw new CliException(ExitCode.REFUSED, transactionId + ": " + result.error());
    }
    session.say(
        result, transactionId + " " + (result.deadLettered() ? "is a dead letter" : status.name()));
    return done();
  }
}
