package dev.queenmq.cli.command.messages;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PushResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "push",
    description =
        "Pushes messages: the payloads that are given, or one for each line of the input. What is"
            + " not JSON is pushed as a JSON text.")
public final class PushCommand extends QueenCommand {
  private static final int BATCH = 500;

  @Parameters(index = "0", paramLabel = "QUEUE")
  private String queue = "";

  @Parameters(index = "1..*", paramLabel = "PAYLOAD", description = "For example '{\"order\": 1}'.")
  private List<String> payloads = new ArrayList<>();

  @Option(
      names = {"-p", "--partition"},
      description = "The lane; within it, order is kept.")
  private @Nullable String partition;

  @Option(
      names = {"-t", "--transaction-id"},
      description = "For one message. Pushed again, it is stored once.")
  private @Nullable String transactionId;

  public PushCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() throws IOException {
    if (transactionId != null && payloads.size() != 1) {
      throw new CliException(ExitCode.USAGE, "--transaction-id is for one payload");
    }
    if (!payloads.isEmpty()) {
      return push(payloads);
    }
    if (session.terminal().interactive()) {
      session.terminal().err().println("one payload a line; Ctrl-D ends the input");
    }
    return pushLines(
        new BufferedReader(new InputStreamReader(session.terminal().in(), StandardCharsets.UTF_8)));
  }

  /**
   * Pushes what has come as soon as the next line is not there yet: the input may be a pipe that
   * stays open.
   */
  private int pushLines(Reader in) throws IOException {
    int code = ExitCode.DONE;
    List<String> batch = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int c;
    do {
      if (batch.size() == BATCH || (!batch.isEmpty() && !in.ready())) {
        code = Math.max(code, push(batch));
        session.flush();
        batch.clear();
      }
      c = in.read();
      if (c != '\n' && c != '\r' && c >= 0) {
        line.append((char) c);
      } else if (!line.isEmpty()) {
        String text = line.toString();
        line.setLength(0);
        if (!text.isBlank()) {
          batch.add(text);
        }
      }
    } while (c >= 0);
    return batch.isEmpty() ? code : Math.max(code, push(batch));
  }

  private int push(List<String> texts) {
    List<OutgoingMessage> messages =
        texts.stream().map(text -> message(OutgoingMessage.of(json(text)))).toList();
    int code = ExitCode.DONE;
    for (PushResult result :
        (partition == null
                ? session.client().queue(queue)
                : session.client().queue(queue).partition(partition))
            .pushAll(messages)) {
      String error = result.error();
      if (session.json()) {
        session.out().println(Printer.line(result));
      } else {
        session
            .out()
            .println(
                result.transactionId()
                    + " "
                    + result.status().name().toLowerCase(Locale.ROOT)
                    + (error == null ? "" : ": " + error));
      }
      if (!result.isAccepted()) {
        code = ExitCode.REFUSED;
      }
    }
    return code;
  }

  private OutgoingMessage message(OutgoingMessage message) {
    return transactionId == null ? message : message.withTransactionId(transactionId);
  }

  /** As it was typed: the broker keeps payloads byte for byte. */
  private static byte[] json(String text) {
    try (var parser = Printer.mapper().createParser(text)) {
      parser.nextToken();
      parser.skipChildren();
      parser.finishToken();
      if (parser.currentToken() != null && parser.nextToken() == null) {
        return text.getBytes(StandardCharsets.UTF_8);
      }
    } catch (JsonProcessingException e) {
      return Printer.line(text).getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return Printer.line(text).getBytes(StandardCharsets.UTF_8);
  }
}
