package dev.queenmq.server.store;

import dev.queenmq.server.text.Utf8Pieces;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the store can take. Checked before a request joins others in one call, so that a bad one
 * harms nobody else.
 */
final class InputRules {
  static final int MAX_NAME = 255;
  static final int MAX_STATE_KEY = 2000;

  private InputRules() {}

  /** Asked for every message of a push, and so without suppliers, which are objects. */
  static Optional<Problem> message(Message message) {
    Optional<Problem> problem = name("queue", message.queue());
    if (problem.isEmpty()) {
      problem = name("partition", message.partition());
    }
    return problem.isEmpty() ? content(message) : problem;
  }

  /** The same after a good one: names that are the same need no second look. */
  static Optional<Problem> messageAfter(@Nullable Message good, Message message) {
    return good != null && message.isBeside(good) ? content(message) : message(message);
  }

  private static Optional<Problem> content(Message message) {
    Optional<Problem> problem = name("transactionId", message.transactionId());
    if (problem.isEmpty()) {
      problem = payload(message);
    }
    if (problem.isEmpty() && message.producerSub() != null) {
      problem = text("producerSub", message.producerSub());
    }
    return problem;
  }

  static Optional<Problem> pop(PopRequest request) {
    Optional<Problem> target;
    if (request.target() instanceof PopTarget.Named named) {
      target = name("queue", named.queue()).or(() -> name("partition", named.partition()));
    } else {
      target =
          ((PopTarget.Candidates) request.target()).queue().flatMap(queue -> name("queue", queue));
    }
    return target
        .or(() -> name("consumerGroup", request.group()))
        .or(() -> positive("batch", request.batch()))
        .or(() -> positive("partitions", request.maxPartitions()));
  }

  static Optional<Problem> ack(Ack ack) {
    return name("consumerGroup", ack.group())
        .or(
            () ->
                ack.message() instanceof MessageRef.ByTransactionId id
                    ? name("transactionId", id.transactionId())
                    : Optional.empty())
        .or(() -> ack.error().flatMap(error -> text("error", error)));
  }

  static Optional<Problem> seek(Seek seek) {
    return name("queue", seek.queue())
        .or(() -> seek.partition().flatMap(partition -> name("partition", partition)))
        .or(() -> name("consumerGroup", seek.group()));
  }

  static Optional<Problem> groupDeletion(GroupDeletion deletion) {
    return name("consumerGroup", deletion.group())
        .or(() -> deletion.queue().flatMap(queue -> name("queue", queue)));
  }

  static Optional<Problem> burial(Burial burial) {
    return name("transactionId", burial.message().transactionId())
        .or(() -> name("consumerGroup", burial.group()))
        .or(() -> burial.error().flatMap(error -> text("error", error)));
  }

  static Optional<Problem> redrive(Redrive redrive) {
    if (redrive instanceof Redrive.OneMessage one) {
      return name("transactionId", one.message().transactionId())
          .or(() -> one.group().flatMap(group -> name("consumerGroup", group)));
    }
    Redrive.Selected some = (Redrive.Selected) redrive;
    return selection(some.selection())
        .or(() -> positive("limit", some.limit()))
        .or(() -> some.requestId().flatMap(id -> name("requestId", id)));
  }

  static Optional<Problem> selection(DeadLetterSelection selection) {
    return name("queue", selection.queue())
        .or(() -> selection.partition().flatMap(partition -> name("partition", partition)))
        .or(() -> selection.group().flatMap(group -> name("consumerGroup", group)))
        .or(
            () ->
                selection.transactionIds().stream()
                    .flatMap(id -> name("transactionId", id).stream())
                    .findFirst());
  }

  static Optional<Problem> renewal(Renewal renewal) {
    return renewal.extension().isNegative() || renewal.extension().toSeconds() > Integer.MAX_VALUE
        ? problem("seconds must be between 0 and " + Integer.MAX_VALUE)
        : Optional.empty();
  }

  static Optional<Problem> streamQuery(StreamQuery query) {
    return name("name", query.name())
        .or(() -> name("source_queue", query.sourceQueue()))
        .or(() -> query.sinkQueue().flatMap(queue -> name("sink_queue", queue)))
        .or(() -> name("config_hash", query.configHash()));
  }

  static Optional<Problem> cycle(Cycle cycle) {
    Optional<Problem> problem =
        name("consumer_group", cycle.group())
            .or(() -> cycle.idempotencyKey().flatMap(key -> name("idempotency_key", key)))
            .or(
                () ->
                    cycle
                        .consumed()
                        .flatMap(
                            consumed ->
                                name("ack.transactionId", consumed.transactionId())
                                    .or(
                                        () ->
                                            consumed
                                                .failure()
                                                .flatMap(error -> text("ack.error", error)))));
    for (int i = 0; problem.isEmpty() && i < cycle.changes().size(); i++) {
      problem = stateChange(cycle.changes().get(i));
    }
    for (int i = 0; problem.isEmpty() && i < cycle.messages().size(); i++) {
      problem = message(cycle.messages().get(i));
    }
    return problem;
  }

  private static Optional<Problem> stateChange(StateChange change) {
    return stateKey("key", change.key())
        .or(
            () ->
                change instanceof StateChange.Put put
                    ? text("value", put.value())
                    : Optional.empty());
  }

  /** What fits into an index of PostgreSQL, whatever characters it has. */
  static Optional<Problem> stateKey(String what, String key) {
    if (key.isEmpty()) {
      return problem(what + " must not be empty");
    }
    return key.getBytes(StandardCharsets.UTF_8).length > MAX_STATE_KEY
        ? problem(what + " is longer than " + MAX_STATE_KEY + " bytes")
        : text(what, key);
  }

  /** Names are 1 to 255 characters, as PostgreSQL counts them: by code point. */
  static Optional<Problem> name(String what, String value) {
    if (value.isEmpty()) {
      return problem(what + " must not be empty");
    }
    if (value.length() > MAX_NAME && value.codePointCount(0, value.length()) > MAX_NAME) {
      return problem(what + " is longer than " + MAX_NAME + " characters");
    }
    return text(what, value);
  }

  /** PostgreSQL's text holds any character but NUL, and only whole ones. */
  static Optional<Problem> text(String what, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == 0) {
        return problem(what + " contains the character NUL");
      }
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == value.length()
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          return problem(what + " contains half a surrogate pair");
        }
        i++;
      }
    }
    return Optional.empty();
  }

  /** A text in ASCII has no halves of characters; to look for one letter in it is quick. */
  private static Optional<Problem> payload(Message message) {
    String payload = message.payload();
    boolean ascii =
        message.payloadBytes() == payload.length() && payload.length() < Utf8Pieces.LONG;
    return ascii && payload.indexOf(0) < 0 ? Optional.empty() : text("payload", payload);
  }

  private static Optional<Problem> positive(String what, int value) {
    return value < 1 ? problem(what + " must be at least 1") : Optional.empty();
  }

  private static Optional<Problem> problem(String text) {
    return Optional.of(new Problem(text));
  }
}
