package dev.queenmq.server.model;

import dev.queenmq.server.text.ReservedNames;
import dev.queenmq.server.text.Utf8Pieces;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which messages, names and texts the store can take. */
public final class MessageRules {
  private static final int MAX_NAME = 255;
  private static final int MAX_STATE_KEY = 2000;

  private MessageRules() {}

  /** Asked for every message of a push, and so without suppliers, which are objects. */
  public static Optional<Problem> message(Message message) {
    Optional<Problem> problem = queue(message.queue());
    if (problem.isEmpty()) {
      problem = name("partition", message.partition());
    }
    return problem.isEmpty() ? content(message) : problem;
  }

  /** The same after a good one: names that are the same need no second look. */
  public static Optional<Problem> messageAfter(@Nullable Message good, Message message) {
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

  /** What fits into an index of PostgreSQL, whatever characters it has. */
  public static Optional<Problem> stateKey(String what, String key) {
    if (key.isEmpty()) {
      return problem(what + " must not be empty");
    }
    return key.getBytes(StandardCharsets.UTF_8).length > MAX_STATE_KEY
        ? problem(what + " is longer than " + MAX_STATE_KEY + " bytes")
        : text(what, key);
  }

  /** Names are 1 to 255 characters, as PostgreSQL counts them: by code point. */
  public static Optional<Problem> name(String what, String value) {
    if (value.isEmpty()) {
      return problem(what + " must not be empty");
    }
    if (value.length() > MAX_NAME && value.codePointCount(0, value.length()) > MAX_NAME) {
      return problem(what + " is longer than " + MAX_NAME + " characters");
    }
    return text(what, value);
  }

  /** The name of a queue to write to: not one that the broker gives itself. */
  public static Optional<Problem> queue(String value) {
    return ReservedNames.isReservedQueue(value)
        ? problem("queue must not begin with " + ReservedNames.DELETED_QUEUE)
        : name("queue", value);
  }

  /** PostgreSQL's text holds any character but NUL, and only whole ones. */
  public static Optional<Problem> text(String what, String value) {
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

  private static Optional<Problem> problem(String text) {
    return Optional.of(new Problem(text));
  }
}
