package dev.queenmq.server.http.messages;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.LastUuid;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An ack as a body has it, before it is validated. */
public final class AckDraft implements JsonInput.FieldVisitor {
  public static final String QUEUE_MODE = "__QUEUE_MODE__";
  public static final String NOT_FOUND = "Message not found";
  public static final String LEASE_LOST = "Invalid or expired lease";
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

  // The one before it in a list: their partition, lease and status are mostly the same.
  private @Nullable AckDraft before;

  /** Reads an ack; what is no object is one without any field. */
  static AckDraft read(JsonInput in) throws IOException {
    return new AckDraft().filled(in, null);
  }

  /** The same after another one of a list. */
  static AckDraft readAfter(@Nullable AckDraft before, JsonInput in) throws IOException {
    return new AckDraft().filled(in, before);
  }

  private AckDraft filled(JsonInput in, @Nullable AckDraft previous) throws IOException {
    before = previous;
    in.fieldsOrSkip(this);
    before = null;
    return this;
  }

  @Override
  public void visit(JsonInput in, String name) throws IOException {
    switch (name) {
      case "transactionId" -> transactionId = in.text();
      case "partitionId" ->
          partitionId = in.text(before == null ? partitionId : before.partitionId);
      case "leaseId" -> leaseId = in.text(before == null ? leaseId : before.leaseId);
      case "status" -> status = in.text(before == null ? status : before.status);
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

  /** The group that a field names. */
  static String group(TextField field) {
    return Texts.name("consumerGroup", field.orElse("consumerGroup", QUEUE_MODE));
  }

  /**
   * The ack, or why it is invalid. An unknown status makes the whole request invalid: a guess could
   * complete a message that should be delivered again.
   *
   * @param ids reads those of partitions and leases
   * @param group whose it is
   * @param groupNamed whether the client says so; if not, the lease decides
   * @param noTransactionId the problem if there is no id of a message
   * @param noPartitionId the problem if there is none of a partition
   */
  AckEntry entry(
      Ids ids, String group, boolean groupNamed, String noTransactionId, String noPartitionId) {
    String id = required(transactionId, noTransactionId);
    String partition = required(partitionId, noPartitionId);
    Texts.id("transactionId", id);
    AckStatus ackStatus = ackStatus();
    String lease = leaseId.orElse("leaseId", "");
    String text = Texts.error(error.orElse("error", ""));
    @Nullable UUID partitionUuid = ids.partitions.parse(partition);
    if (partitionUuid == null) {
      return new AckEntry.Unsatisfiable(id, NO_UUID);
    }
    @Nullable UUID leaseUuid = ids.leases.parse(lease);
    if (leaseUuid == null && !lease.isEmpty()) {
      return new AckEntry.Unsatisfiable(id, LEASE_LOST);
    }
    return new AckEntry.Sent(
        id,
        new Ack(
            partitionUuid,
            group,
            new MessageRef.ByTransactionId(id),
            Optional.ofNullable(leaseUuid),
            ackStatus,
            text.isEmpty() ? Optional.empty() : Optional.of(text),
            groupNamed));
  }

  /** The same of an ack that names its own group. */
  AckEntry entry(String noTransactionId, String noPartitionId) {
    String group = group(consumerGroup);
    boolean named = !consumerGroup.value().isEmpty();
    return entry(new Ids(), group, named, noTransactionId, noPartitionId);
  }

  /** The ids of a list of acks, each of which often comes again. */
  static final class Ids {
    private final LastUuid partitions = new LastUuid();
    private final LastUuid leases = new LastUuid();
  }

  private AckStatus ackStatus() {
    if (status.isAbsent()) {
      return AckStatus.COMPLETED;
    }
    return switch (status.value()) {
      case "completed", "success" -> AckStatus.COMPLETED;
      case "failed" -> AckStatus.FAILED;
      case "dlq" -> AckStatus.DLQ;
      case "retry" -> AckStatus.RETRY;
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
