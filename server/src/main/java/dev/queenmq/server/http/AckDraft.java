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
  static final String NO_UUID = "partitionId must be a UUID";
  static final String UNKNOWN_STATUS = "status must be completed, success, failed, retry or dlq";

  /** A message that was popped can be acked as it is, with all its fields. */
  private static final KnownNames FIELDS =
      KnownNames.fields(
              "transactionId", "partitionId", "leaseId", "status", "consumerGroup", "error")
          .ignoring(
              "attempt",
              "createdAt",
              "data",
              "id",
              "leaseExpiresAt",
              "messageId",
              "partition",
              "payload",
              "producerSub",
              "queue",
              "traceId");

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
      in.fields(draft::field);
    } else {
      in.skip();
    }
    return draft;
  }

  private void field(JsonInput in, String name) throws IOException {
    switch (name) {
      case "transactionId" -> transactionId = in.text();
      case "partitionId" -> partitionId = in.text();
      case "leaseId" -> leaseId = in.text();
      case "status" -> status = in.text();
      case "consumerGroup" -> consumerGroup = in.text();
      case "error" -> error = in.text();
      default -> FIELDS.skip(in, name);
    }
  }

  /** Takes a field if it is one of an ack. */
  boolean set(String name, TextField value) {
    switch (name) {
      case "transactionId" -> transactionId = value;
      case "partitionId" -> partitionId = value;
      case "leaseId" -> leaseId = value;
      case "status" -> status = value;
      case "consumerGroup" -> consumerGroup = value;
      case "error" -> error = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  TextField group() {
    return consumerGroup;
  }

  /** The group that a field names. */
  static String group(TextField field) {
    return Texts.name("consumerGroup", field.orElse("consumerGroup", QUEUE_MODE));
  }

  /**
   * The ack, or why it cannot count. What its status may not be is a problem of the whole request:
   * to guess would complete a message that should come again.
   *
   * @param groupField whose it is; where it names none, the lease decides
   * @param noTransactionId the problem if there is no id of a message
   * @param noPartitionId the problem if there is none of a partition
   */
  AckEntry entry(TextField groupField, String noTransactionId, String noPartitionId) {
    String group = group(groupField);
    String id = required(transactionId, noTransactionId);
    String partition = required(partitionId, noPartitionId);
    Texts.id("transactionId", id);
    Verdict verdict = verdict();
    String lease = leaseId.orElse("leaseId", "");
    String text = Texts.whole(error.orElse("error", ""));
    UUID partitionUuid = UuidText.parse(partition);
    if (partitionUuid == null) {
      return new AckEntry.Hopeless(id, NO_UUID);
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
            verdict,
            text.isEmpty() ? Optional.empty() : Optional.of(text),
            !groupField.value().isEmpty()));
  }

  private Verdict verdict() {
    if (status.isAbsent()) {
      return Verdict.COMPLETED;
    }
    return switch (status.value()) {
      case "completed", "success" -> Verdict.COMPLETED;
      case "failed" -> Verdict.FAILED;
      case "dlq" -> Verdict.DLQ;
      case "retry" -> Verdict.RETRY;
      default -> throw HttpProblem.badRequest(UNKNOWN_STATUS);
    };
  }

  private static String required(TextField field, String problem) {
    if (field.value().isEmpty()) {
      throw HttpProblem.badRequest(problem);
    }
    return field.value();
  }
}
