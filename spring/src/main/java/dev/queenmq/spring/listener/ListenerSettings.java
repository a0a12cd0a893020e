package dev.queenmq.spring.listener;

import dev.queenmq.client.StartAt;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a listener consumes: the properties, or what its annotation says in their place.
 *
 * @param group the consumer group, null for none
 * @param concurrency how many partitions are handled at the same time
 * @param batch how many messages one pop may bring
 * @param partitionsPerPop how many partitions one pop may bring
 * @param startAt where the group starts: {@code oldest}, {@code now}, a moment, or null
 * @param longPoll how long a pop waits at the broker
 * @param renewLeasesFor how long leases are renewed while handlers work
 * @param firstPause the first pause after an error of a broker
 * @param longestPause the longest of them
 * @param autoStartup whether it starts with the application
 */
public record ListenerSettings(
    @Nullable String group,
    int concurrency,
    int batch,
    int partitionsPerPop,
    @Nullable String startAt,
    Duration longPoll,
    Duration renewLeasesFor,
    Duration firstPause,
    Duration longestPause,
    boolean autoStartup) {

  /** The start as the client knows it. */
  @Nullable StartAt start() {
    if (startAt == null || startAt.isBlank()) {
      return null;
    }
    return switch (startAt.strip().toLowerCase(Locale.ROOT)) {
      case "oldest" -> StartAt.oldest();
      case "now" -> StartAt.now();
      default -> after(startAt.strip());
    };
  }

  private static StartAt after(String moment) {
    try {
      return StartAt.after(Instant.parse(moment));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "a start is 'oldest', 'now' or a moment such as 2026-01-31T00:00:00Z, not " + moment, e);
    }
  }
}
