package dev.queenmq.server.http.streams;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.http.json.WholeNumber;
import dev.queenmq.server.http.messages.AckDraft;
import dev.queenmq.server.model.streams.Cycle;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far a cycle has come, as a body has it. */
final class ConsumedDraft {
  private static final String NO_ERROR = "Streaming cycle reported failure";
  private static final int LONGEST_ECHO = 100;
  private static final KnownNames FIELDS =
      KnownNames.fields("transactionId", "leaseId", "status", "error", "count")
          .ignoring("consumerGroup", "partitionId");

  private TextField transactionId = TextField.ABSENT;
  private TextField leaseId = TextField.ABSENT;
  private TextField status = TextField.ABSENT;
  private TextField error = TextField.ABSENT;
  private int count = 1;

  /** Null if there is none. */
  static @Nullable ConsumedDraft read(JsonInput in) throws IOException {
    if (in.isNull()) {
      in.skip();
      return null;
    }
    if (!in.isObject()) {
      throw HttpProblem.badRequest("ack must be an object");
    }
    ConsumedDraft draft = new ConsumedDraft();
    in.fields(draft::field);
    return draft;
  }

  private void field(JsonInput in, String name) throws IOException {
    switch (name) {
      case "transactionId" -> transactionId = in.text();
      case "leaseId" -> leaseId = in.text();
      case "status" -> status = in.text();
      case "error" -> error = in.text();
      case "count" -> count = count(in);
      default -> FIELDS.skip(in, name);
    }
  }

  private static int count(JsonInput in) throws IOException {
    if (in.isNull()) {
      in.skip();
      return 1;
    }
    String text = in.scalar();
    Integer number = text == null ? null : WholeNumber.parse(text);
    if (number == null || number < 0) {
      throw HttpProblem.badRequest(
          "ack.count must be a whole number between 0 and " + Integer.MAX_VALUE);
    }
    return number;
  }

  /** Why it cannot count, or null. */
  @Nullable String problem() {
    if (transactionId.value().isEmpty()) {
      return "ack.transactionId is required";
    }
    Texts.id("ack.transactionId", transactionId.value());
    if (status.kind() == TextField.Kind.OTHER) {
      throw HttpProblem.badRequest("ack.status must be completed, success, failed or dlq");
    }
    if (!completed() && !failed()) {
      return "Unknown ack.status: " + Texts.whole(Texts.shortened(status.value(), LONGEST_ECHO));
    }
    String lease = leaseId.orElse("ack.leaseId", "");
    return lease.isEmpty() || UuidText.parse(lease) != null ? null : AckDraft.LEASE_LOST;
  }

  Cycle.Consumed consumed(boolean releaseLease) {
    String text = Texts.error(error.orElse("ack.error", NO_ERROR));
    return new Cycle.Consumed(
        transactionId.value(),
        Optional.ofNullable(UuidText.parse(leaseId.value())),
        count,
        failed() ? Optional.of(text) : Optional.empty(),
        releaseLease);
  }

  private boolean completed() {
    return status.isAbsent()
        || status.value().equals("completed")
        || status.value().equals("success");
  }

  private boolean failed() {
    return status.value().equals("failed") || status.value().equals("dlq");
  }
}
