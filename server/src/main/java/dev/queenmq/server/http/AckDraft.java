package dev.queenmq.server.http;

import dev.queenmq.server.store.Ack;
import dev.queenmq.server.store.MessageRef;
import dev.queenmq.server.store.Verdict;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/** A verdict as a body has it, before anybody asks whether it makes sense. */
final class AckDraft {
  static final String QUEUE_MODE = "__QUEUE_MODE__";
  static final String NOT_FOUND = "Message not found";
  static final String LEASE_LOST = "Invalid or expired lease";
  private static final int LONGEST_ECHO = 100;

  private TextField transactionId = TextField.ABSENT;
  private TextField partitionId = TextField.ABSENT;
  private TextField leaseId = TextField.ABSENT;
  private TextField status = TextField.ABSENT;
  private TextField consumerGroup = TextField.ABSENT;
  private TextField error = TextField.ABSENT;

  /** Reads a verdict; what is no object is one without any field. */
  static AckDraft read(JsonInput in) throws IOException {
    AckDraft draft = new AckDraft();
    if (in.isObject()) {
      in.fields((value, name) -> draft.set(name, value.text()));
    } else {
      in.skip();
    }
    return draft;
  }

  /** Takes a field if it is one of a verdict. */
  void set(String name, TextField value) {
    switch (name) {
      case "transactionId" -> transactionId = value;
      case "partitionId" -> partitionId = value;
      case "leaseId" -> leaseId = value;
      case "status" -> status = value;
      case "consumerGroup" -> consumerGroup = value;
      case "error" -> error = value;
      default -> {}
    }
  }

  TextField group() {
    return consumerGroup;
  }

  /** The group that a field names. */
  static String group(TextField field) {
    return Texts.name("consumerGroup", field.orElse("consumerGroup", QUEUE_MODE));
  }

  /**
   * The verdict, or why it cannot count.
   *
   * @param noTransactionId the problem if there is no id of a message
   * @param noPartitionId the problem if there is none of a partition
   */
  AckEntry entry(String group, String noTransactionId, String noPartitionId) {
    String id = required(transactionId, noTransactionId);
    String partition = required(partitionId, noPartitionId);
    Texts.name("transactionId", id);
    Optional<Verdict> verdict = verdict();
    String lease = leaseId.orElse("leaseId", "");
    String text = Texts.whole(error.orElse("error", ""));
    if (verdict.isEmpty()) {
      return new AckEntry.UnknownStatus(
          id, Texts.whole(Texts.shortened(status.value(), LONGEST_ECHO)));
    }
    UUID partitionUuid = UuidText.parse(partition);
    if (partitionUuid == null) {
      return new AckEntry.Hopeless(id, NOT_FOUND);
    }
    UUID leaseUuid = UuidText.parse(lease);
    if (leaseUuid == null && !lease.isEmpty()) {
      return new AckEntry.Hopeless(id, LEASE_LOST);
    }
    return new AckEntry.Sent(
        id,
        new Ack(
            partitionUuid,
            group,
            new MessageRef.ByTransactionId(id),
            Optional.ofNullable(leaseUuid),
            verdict.get(),
            text.isEmpty() ? Optional.empty() : Optional.of(text)));
  }

  private Optional<Verdict> verdict() {
    if (!status.isText()) {
      return Optional.of(Verdict.COMPLETED);
    }
    return switch (status.value()) {
      case "completed", "success" -> Optional.of(Verdict.COMPLETED);
      case "failed" -> Optional.of(Verdict.FAILED);
      case "dlq" -> Optional.of(Verdict.DLQ);
      case "retry" -> Optional.of(Verdict.RETRY);
      default -> Optional.empty();
    };
  }

  private static String required(TextField field, String problem) {
    if (field.value().isEmpty()) {
      throw HttpProblem.badRequest(problem);
    }
    return field.value();
  }
}
