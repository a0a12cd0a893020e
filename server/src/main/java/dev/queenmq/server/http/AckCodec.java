package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.store.AckOutcome;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of acks, single and in batches. */
final class AckCodec {
  static final String UNKNOWN_GROUP = "Unknown consumerGroup: this group has not read the queue";
  static final String OTHER_GROUP = "The lease belongs to another consumerGroup";
  private static final KnownNames BATCH = KnownNames.fields("acknowledgments", "consumerGroup");

  private final JsonFactory factory;
  private final ItemList list;

  AckCodec(JsonFactory factory, ItemList list) {
    this.factory = factory;
    this.list = list;
  }

  List<AckEntry> readOne(Body body) {
    AckDraft draft = JsonInput.read(factory, body, AckDraft::read);
    AckEntry entry =
        draft.entry(
            draft.group(),
            "transactionId is required",
            "partitionId is required to ensure message uniqueness");
    if (entry instanceof AckEntry.Hopeless hopeless && hopeless.error().equals(AckDraft.NO_UUID)) {
      throw HttpProblem.badRequest(hopeless.error());
    }
    return List.of(entry);
  }

  List<AckEntry> readBatch(Body body) {
    Batch batch = JsonInput.read(factory, body, this::batch);
    if (batch.drafts == null) {
      throw HttpProblem.badRequest("acknowledgments array is required");
    }
    AckDraft.group(batch.group); // also where nothing is acknowledged
    List<AckEntry> entries = new ArrayList<>(batch.drafts.size());
    for (AckDraft draft : batch.drafts) {
      entries.add(
          draft.entry(
              batch.group,
              "Each acknowledgment must have a valid transactionId string",
              "Each acknowledgment must have a valid partitionId string to ensure message"
                  + " uniqueness"));
    }
    return entries;
  }

  private Batch batch(JsonInput in) throws IOException {
    Batch batch = new Batch();
    if (!in.isObject()) {
      in.skip();
      return batch;
    }
    in.fields(
        (value, name) -> {
          switch (name) {
            case "acknowledgments" -> batch.drafts = drafts(value);
            case "consumerGroup" -> batch.group = value.text();
            default -> BATCH.skip(value, name);
          }
        });
    return batch;
  }

  private @Nullable List<AckDraft> drafts(JsonInput in) throws IOException {
    if (in.isArray()) {
      return list.read(in, AckDraft::read, "acknowledgments");
    }
    in.skip();
    return null;
  }

  private static final class Batch {
    @Nullable List<AckDraft> drafts;
    TextField group = TextField.ABSENT;
  }

  /**
   * The answer.
   *
   * @param outcomes of those entries that were sent, in their order
   */
  static Buffer write(List<AckEntry> entries, List<AckOutcome> outcomes) {
    return JsonOutput.write(
        json -> {
          json.writeStartArray();
          int next = 0;
          for (int i = 0; i < entries.size(); i++) {
            AckEntry entry = entries.get(i);
            json.writeStartObject();
            json.writeNumberField("index", i);
            json.writeStringField("transactionId", entry.transactionId());
            if (entry instanceof AckEntry.Sent) {
              outcome(json, outcomes.get(next++));
            } else if (entry instanceof AckEntry.Hopeless hopeless) {
              failed(json, hopeless.error(), null, null);
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void outcome(JsonGenerator json, AckOutcome outcome) throws IOException {
    if (outcome instanceof AckOutcome.Applied applied) {
      json.writeBooleanField("success", true);
      json.writeNullField("error");
      json.writeStringField("queueName", applied.queue());
      json.writeStringField("partitionName", applied.partition());
      json.writeBooleanField("leaseReleased", applied.leaseReleased());
      json.writeBooleanField("dlq", applied.deadLettered());
    } else if (outcome instanceof AckOutcome.Failed failed) {
      failed(
          json,
          text(failed.reason()),
          failed.queue().orElse(null),
          failed.partition().orElse(null));
    } else if (outcome instanceof AckOutcome.Rejected rejected) {
      failed(json, rejected.problem().text(), null, null);
    }
  }

  /** Throws if a single ack is of a group that it cannot be of. */
  static void refuse(AckOutcome.Reason reason) {
    if (reason == AckOutcome.Reason.UNKNOWN_GROUP) {
      throw new HttpProblem(404, UNKNOWN_GROUP);
    }
    if (reason == AckOutcome.Reason.OTHER_GROUP) {
      throw new HttpProblem(409, OTHER_GROUP);
    }
  }

  static String text(AckOutcome.Reason reason) {
    return switch (reason) {
      case LEASE_LOST -> AckDraft.LEASE_LOST;
      case MESSAGE_NOT_FOUND -> AckDraft.NOT_FOUND;
      case UNKNOWN_GROUP -> UNKNOWN_GROUP;
      case OTHER_GROUP -> OTHER_GROUP;
    };
  }

  private static void failed(
      JsonGenerator json, String error, @Nullable String queue, @Nullable String partition)
      throws IOException {
    json.writeBooleanField("success", false);
    json.writeStringField("error", error);
    json.writeStringField("queueName", queue);
    json.writeStringField("partitionName", partition);
    // A verdict that changed nothing says nothing about the lease.
    json.writeNullField("leaseReleased");
    json.writeBooleanField("dlq", false);
  }
}
