package dev.queenmq.cli.command.messages;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters, as all commands about them take it. */
final class LetterSelection {

  @Parameters(index = "0", arity = "0..1", paramLabel = "QUEUE")
  private @Nullable String queue;

  @Option(
      names = {"-p", "--partition"},
      description = "Only those of this lane.")
  private @Nullable String partition;

  @Option(
      names = {"-g", "--group"},
      description = "Only those of this group.")
  private @Nullable String group;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Failed since this time, or this long ago.")
  private @Nullable Instant since;

  @Option(names = "--until", paramLabel = "TIME", description = "Failed up to then.")
  private @Nullable Instant until;

  /** Whether it is about one queue. */
  boolean hasQueue() {
    return queue != null;
  }

  /** The queue, for commands that change something: they need one. */
  String queue() {
    if (queue == null) {
      throw new CliException(ExitCode.USAGE, "name the queue");
    }
    return queue;
  }

  DeadLetterFilter filter() {
    return filter(new ArrayList<>());
  }

  /** Counts letters, as people say it. */
  static String count(long letters) {
    return letters == 1 ? "1 dead letter" : letters + " dead letters";
  }

  DeadLetterFilter filter(List<String> transactionIds) {
    DeadLetterFilter filter =
        (queue == null ? DeadLetterFilter.any() : DeadLetterFilter.queue(queue))
            .failed(new TimeRange(since, until))
            .transactionIds(transactionIds);
    filter = partition == null ? filter : filter.partition(partition);
    return group == null ? filter : filter.consumerGroup(group);
  }
}
