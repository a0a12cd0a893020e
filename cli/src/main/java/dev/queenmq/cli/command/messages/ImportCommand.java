package dev.queenmq.cli.command.messages;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Progress;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PushResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description =
        "Pushes messages from JSON lines, as export writes them: partition, transactionId, payload."
            + " What was pushed before under the same transactionId is a duplicate and not stored"
            + " again.")
public final class ImportCommand extends QueenCommand {
  private static final int BATCH = 1_000;

  @Parameters(index = "0", paramLabel = "QUEUE")
  private String queue = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The input if absent.")
  private @Nullable Path file;

  @Option(
      names = {"-p", "--partition"},
      description = "For all messages, whatever the lines say.")
  private @Nullable String partition;

  private long stored;
  private long duplicates;

  public ImportCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() throws IOException {
    try (InputStream in = file == null ? session.terminal().in() : Files.newInputStream(file);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        Progress progress = new Progress(session, "imported", 0)) {
      List<OutgoingMessage> batch = new ArrayList<>();
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          batch.add(read(line, number));
        }
        if (batch.size() == BATCH) {
          push(batch, progress);
        }
      }
      push(batch, progress);
    }
    session.say(
        Map.of("queue", queue, "stored", stored, "duplicates", duplicates),
        stored + " messages imported, " + duplicates + " were there already");
    return done();
  }

  private void push(List<OutgoingMessage> batch, Progress progress) {
    if (batch.isEmpty()) {
      return;
    }
    for (PushResult result : session.client().queue(queue).pushAll(batch)) {
      if (!result.isAccepted()) {
        throw new CliException(
            ExitCode.REFUSED,
            "after %d messages: %s was not stored: %s"
                .formatted(stored + duplicates, result.transactionId(), result.error()));
      }
      if (result.status() == PushResult.Status.DUPLICATE) {
        duplicates++;
      } else {
        stored++;
      }
    }
    progress.add(batch.size());
    batch.clear();
  }

  /** The payload is taken as it stands there: the broker keeps payloads byte for byte. */
  private OutgoingMessage read(String line, long number) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    byte @Nullable [] payload = null;
    @Nullable String lane = partition;
    @Nullable String id = null;
    try (JsonParser parser = Printer.mapper().createParser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw bad(number, "not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        int start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        if (name.equals("payload")) {
          payload =
              Arrays.copyOfRange(bytes, start, (int) parser.currentLocation().getByteOffset());
        } else if (name.equals("partition") && partition == null && value.isScalarValue()) {
          lane = value == JsonToken.VALUE_NULL ? null : parser.getText();
        } else if (name.equals("transactionId") && value.isScalarValue()) {
          id = value == JsonToken.VALUE_NULL ? null : parser.getText();
        }
      }
      if (parser.nextToken() != null) {
        throw bad(number, "more than one JSON object");
      }
    } catch (IOException e) {
      throw bad(number, "not JSON");
    }
    if (payload == null) {
      throw bad(number, "without a payload");
    }
    OutgoingMessage message = OutgoingMessage.of(payload);
    message = lane == null ? message : message.withPartition(lane);
    return id == null ? message : message.withTransactionId(id);
  }

  private CliException bad(long number, String why) {
    return new CliException(
        ExitCode.REFUSED,
        "line " + number + " is " + why + "; " + (stored + duplicates) + " messages were imported");
  }
}
