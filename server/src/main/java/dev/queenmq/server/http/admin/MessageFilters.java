package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.DeadLetterFilter;
import dev.queenmq.server.admin.MessageFilter;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What queries about messages and dead letters ask for. */
public final class MessageFilters {
  private static final Set<String> STATUSES =
      Set.of("pending", "processing", "completed", "dead_letter");
  private static final List<String> NARROWING =
      List.of("partition", "consumerGroup", "from", "to", "transactionIds");
  private static final KnownNames LIST =
      KnownNames.parameters(
          "queue", "partition", "ns", "task", "status", "from", "to", "limit", "offset");
  private static final KnownNames DEAD =
      KnownNames.parameters("queue", "partition", "consumerGroup", "from", "to", "limit", "offset");
  private static final KnownNames PURGE =
      KnownNames.parameters("queue", "partition", "consumerGroup", "from", "to", "transactionIds");
  private static final int MESSAGES = 200;
  private static final int DEAD_LETTERS = 100;
  private static final int MAX_PAGE = 1000;
  private static final int MAX_OFFSET = 1_000_000;

  private MessageFilters() {}

  public static MessageFilter messages(@Nullable String text) {
    QueryParameters query = QueryParameters.parse(text, LIST);
    Optional<String> status = text(query, "status");
    if (status.isPresent() && !STATUSES.contains(status.get())) {
      throw HttpProblem.badRequest("status must be pending, processing, completed or dead_letter");
    }
    return new MessageFilter(
        text(query, "queue"),
        text(query, "partition"),
        text(query, "ns"),
        text(query, "task"),
        status,
        text(query, "from").map(from -> moment("from", from)),
        text(query, "to").map(to -> moment("to", to)),
        query.number("limit", 1, MAX_PAGE, MESSAGES),
        query.number("offset", 0, MAX_OFFSET, 0));
  }

  public static DeadLetterFilter deadLetters(@Nullable String text) {
    return deadLetters(QueryParameters.parse(text, DEAD));
  }

  private static DeadLetterFilter deadLetters(QueryParameters query) {
    return new DeadLetterFilter(
        text(query, "queue"),
        text(query, "partition"),
        text(query, "consumerGroup"),
        text(query, "from").map(from -> moment("from", from)),
        text(query, "to").map(to -> after("to", to)),
        query.number("limit", 1, MAX_PAGE, DEAD_LETTERS),
        query.number("offset", 0, MAX_OFFSET, 0));
  }

  /**
   * An empty filter, as from a variable that is not set, is a mistake: it must not select
   * everything.
   */
  public static DeadLetterSelection selection(@Nullable String text) {
    QueryParameters query = QueryParameters.parse(text, PURGE);
    for (String name : NARROWING) {
      if (query.all().containsKey(name) && query.text(name).isEmpty()) {
        throw HttpProblem.badRequest(name + " must not be empty");
      }
    }
    DeadLetterFilter filter = deadLetters(query);
    return new DeadLetterSelection(
        filter.queue().orElseThrow(() -> HttpProblem.badRequest("queue is required")),
        filter.partition(),
        filter.group(),
        filter.from(),
        filter.until(),
        ids(query.text("transactionIds")));
  }

  /** Nothing between two commas is a mistake, not a selection of everything. */
  private static List<String> ids(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(id -> Texts.id("transactionId", id)).toList();
  }

  static Instant moment(String what, String text) {
    @Nullable Instant moment = Timestamps.parse(text);
    if (moment == null) {
      throw HttpProblem.badRequest(what + " must be an ISO 8601 timestamp");
    }
    return moment;
  }

  /** The first moment that is shown as a later one: times are shown in milliseconds. */
  static Instant after(String what, String text) {
    return moment(what, text).plusMillis(1);
  }

  private static Optional<String> text(QueryParameters query, String name) {
    String text = query.text(name);
    return text.isEmpty() ? Optional.empty() : Optional.of(Texts.existing(name, text));
  }
}
