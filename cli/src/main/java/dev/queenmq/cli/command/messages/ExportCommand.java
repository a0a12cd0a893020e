package dev.queenmq.cli.command.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Progress;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.Message;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.StartAt;
import dev.queenmq.client.admin.groups.GroupPartition;
import dev.queenmq.client.admin.messages.DeadLetter;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.queues.QueueDetails;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Writes messages as JSON lines. It reads them as a consumer group of its own, which is forgotten
 * at the end: so it gets the payloads byte for byte, each partition in order, at the speed of pops,
 * and other groups keep their places.
 */
@Command(
    name = "export",
    description =
        "Writes all stored messages of a queue as JSON lines, done or not, without consuming them.")
public final class ExportCommand extends QueenCommand {
  private static final int BATCH = 1_000;

  /** So often in a row a pop may find nothing while the group is behind. */
  private static final int EMPTY_POPS = 10;

  private static final long UNKNOWN = Long.MAX_VALUE;
  private static final Duration EMPTY_PAUSE = Duration.ofSeconds(1);

  @Parameters(index = "0", paramLabel = "QUEUE")
  private String queue = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The output if absent.")
  private @Nullable Path file;

  @Option(names = "--dlq", description = "Dead letters instead.")
  private boolean deadLetters;

  @Option(
      names = "--force",
      description = "Also where the queue is limited by maxSize, and may refuse pushes meanwhile.")
  private boolean force;

  public ExportCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() throws IOException {
    QueueDetails details =
        admin().queues().find(queue, Paging.of(1)).orElseThrow(() -> missing(queue));
    long written;
    if (file == null) {
      written = write(details, session.out());
    } else {
      try (OutputStream out = Files.newOutputStream(file);
          PrintWriter lines = new PrintWriter(out, false, StandardCharsets.UTF_8)) {
        written = write(details, lines);
        check(lines);
      }
    }
    session.flush();
    session.terminal().err().println(written + " messages exported");
    return done();
  }

  private long write(QueueDetails details, PrintWriter out) {
    return deadLetters ? letters(out) : messages(details, out);
  }

  private long letters(PrintWriter out) {
    Page<DeadLetter> first =
        admin().deadLetters().list(DeadLetterFilter.queue(queue), Paging.of(1));
    try (Progress progress =
        new Progress(session, "exported", Objects.requireNonNullElse(first.total(), 0L))) {
      Page.all(
              Paging.of(BATCH),
              paging -> admin().deadLetters().list(DeadLetterFilter.queue(queue), paging))
          .forEach(
              letter -> {
                ObjectNode line = head(letter.partition(), letter.transactionId());
                line.put("error", letter.errorMessage());
                line.put("consumerGroup", letter.consumerGroup());
                out.println(line(line, letter.payload().toString()));
                progress.add(1);
                if (progress.done() % BATCH == 0) {
                  check(out);
                }
              });
      return progress.done();
    }
  }

  private long messages(QueueDetails details, PrintWriter out) {
    Integer maxSize = details.options().maxSize();
    if (maxSize != null && maxSize > 0 && !force) {
      throw new CliException(
          ExitCode.REFUSED,
          "queue "
              + queue
              + " has a maxSize: while it is exported, all messages count as not done, and it may"
              + " refuse pushes. Add --force to do it.");
    }
    if (details.paused()) {
      throw new CliException(ExitCode.REFUSED, "queue " + queue + " is paused; resume it first");
    }
    if (admin().system().popMaintenance().enabled()) {
      throw new CliException(
          ExitCode.REFUSED, "pops are in maintenance; end it first: queen maintenance --pops off");
    }
    String group = "queen-export-" + UUID.randomUUID();
    QueueRef source = session.client().queue(queue).group(group);
    PopOptions options =
        PopOptions.batch(BATCH).partitions(100).atMostOnce().startAt(StartAt.oldest());
    try (Progress progress = new Progress(session, "exported", 0)) {
      int empty = 0;
      while (true) {
        List<Message<byte[]>> batch = source.pop(byte[].class, options);
        if (batch.isEmpty()) {
          // That alone is no end: delayed messages and faults of PostgreSQL look the same.
          long unread = unread(group);
          if (unread == 0) {
            return progress.done();
          }
          if (++empty > EMPTY_POPS) {
            throw incomplete(unread);
          }
          sleep(EMPTY_PAUSE);
          continue;
        }
        empty = 0;
        for (Message<byte[]> message : batch) {
          ObjectNode head = head(message.partition(), message.transactionId());
          head.put("createdAt", message.createdAt().toString());
          out.println(line(head, JsonLines.payload(message.rawPayload())));
        }
        check(out);
        progress.add(batch.size());
      }
    } finally {
      admin().groups().delete(group, false);
    }
  }

  /** How many stored messages the group of the export has not read; maybe {@link #UNKNOWN}. */
  private long unread(String group) {
    List<GroupPartition> partitions =
        Page.all(Paging.first(), paging -> admin().groups().partitions(group, paging)).toList();
    if (partitions.isEmpty()) {
      // The broker does not know the group: no pop has reached PostgreSQL yet.
      QueueDetails now =
          admin().queues().find(queue, Paging.of(1)).orElseThrow(() -> missing(queue));
      return now.partitionCount() == 0 ? 0 : UNKNOWN;
    }
    return partitions.stream().mapToLong(GroupPartition::offsetLag).sum();
  }

  private CliException incomplete(long unread) {
    return new CliException(
        ExitCode.REFUSED,
        (unread == UNKNOWN ? "" : unread + " ")
            + "messages of queue "
            + queue
            + " cannot be read now (delayed, paused, maintenance, or no database): the export is"
            + " not complete");
  }

  private static void sleep(Duration pause) {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCode.REFUSED, "interrupted: the export is not complete");
    }
  }

  /** What cannot be written is not read on. */
  private void check(PrintWriter out) {
    if (file == null) {
      session.flush();
    } else if (out.checkError()) {
      throw new CliException(ExitCode.REFUSED, "cannot write to " + file);
    }
  }

  private ObjectNode head(String partition, String transactionId) {
    return Printer.mapper()
        .createObjectNode()
        .put("queue", queue)
        .put("partition", partition)
        .put("transactionId", transactionId);
  }

  /** The payload goes last, as it was pushed. */
  private static String line(ObjectNode head, String payload) {
    String text = head.toString();
    return text.substring(0, text.length() - 1) + ",\"payload\":" + payload + "}";
  }
}
