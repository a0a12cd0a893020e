package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonBytes;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.model.AckOutcome;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of acks, single and in batches. */
public final class AckCodec {
  public static final String UNKNOWN_GROUP =
      "Unknown consumerGroup: this group has not read the queue";
  static final String OTHER_GROUP = "The lease belongs to another consumerGroup";

  /** The size of an outcome, with names of a usual length. */
  private static final int OUTCOME_BYTES = 192;

  private static final byte[] FIRST = JsonBytes.ascii("{\"index\":");
  private static final byte[] NEXT = JsonBytes.ascii(",{\"index\":");
  private static final byte[] TRANSACTION_ID = JsonBytes.ascii(",\"transactionId\":");
  private static final byte[] APPLIED =
      JsonBytes.ascii(",\"success\":true,\"error\":null,\"queueName\":");
  private static final byte[] FAILED = JsonBytes.ascii(",\"success\":false,\"error\":");
  private static final byte[] QUEUE = JsonBytes.ascii(",\"queueName\":");
  private static final byte[] PARTITION = JsonBytes.ascii(",\"partitionName\":");
  private static final byte[] RELEASED = JsonBytes.ascii(",\"leaseReleased\":true");
  private static final byte[] NOT_RELEASED = JsonBytes.ascii(",\"leaseReleased\":false");
  private static final byte[] UNKNOWN_LEASE = JsonBytes.ascii(",\"leaseReleased\":null");
  private static final byte[] DEAD = JsonBytes.ascii(",\"dlq\":true");
  private static final byte[] NOT_DEAD = JsonBytes.ascii(",\"dlq\":false");
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
            "transactionId is required", "partitionId is required to ensure message uniqueness");
    if (entry instanceof AckEntry.Unsatisfiable unsatisfiable
        && unsatisfiable.error().equals(AckDraft.NO_UUID)) {
      throw HttpProblem.badRequest(unsatisfiable.error());
    }
    return List.of(entry);
  }

  List<AckEntry> readBatch(Body body) {
    Batch batch = JsonInput.read(factory, body, this::batch);
    if (batch.drafts == null) {
      throw HttpProblem.badRequest("acknowledgments array is required");
    }
    String group = AckDraft.group(batch.group); // also where nothing is acknowledged
    boolean named = !batch.group.value().isEmpty();
    AckDraft.Ids ids = new AckDraft.Ids();
    List<AckEntry> entries = new ArrayList<>(batch.drafts.size());
    for (AckDraft draft : batch.drafts) {
      entries.add(
          draft.entry(
              ids,
              group,
              named,
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
      List<AckDraft> drafts = new ArrayList<>();
      list.each(in, each -> drafts.add(AckDraft.readAfter(last(drafts), each)), "acknowledgments");
      return drafts;
    }
    in.skip();
    return null;
  }

  private static @Nullable AckDraft last(List<AckDraft> drafts) {
    return drafts.isEmpty() ? null : drafts.get(drafts.size() - 1);
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
    JsonBytes json = new JsonBytes(2 + entries.size() * OUTCOME_BYTES);
    json.raw('[');
    int next = 0;
    @Nullable AckOutcome before = null;
    byte[] rest = new byte[0];
    for (int i = 0; i < entries.size(); i++) {
      AckEntry entry = entries.get(i);
      json.raw(i == 0 ? FIRST : NEXT).number(i).raw(TRANSACTION_ID).text(entry.transactionId());
      if (entry instanceof AckEntry.Sent) {
        AckOutcome outcome = outcomes.get(next++);
        // Those of one lease mostly have one outcome.
        if (!outcome.equals(before)) {
          before = outcome;
          rest = rest(outcome);
        }
        json.raw(rest);
      } else if (entry instanceof AckEntry.Unsatisfiable unsatisfiable) {
        failed(json, unsatisfiable.error(), null, null);
      }
      json.raw('}');
    }
    return json.raw(']').finish();
  }

  private static byte[] rest(AckOutcome outcome) {
    JsonBytes json = new JsonBytes(OUTCOME_BYTES);
    if (outcome instanceof AckOutcome.Applied applied) {
      json.raw(APPLIED).text(applied.queue()).raw(PARTITION).text(applied.partition());
      json.raw(applied.leaseReleased() ? RELEASED : NOT_RELEASED);
      json.raw(applied.deadLettered() ? DEAD : NOT_DEAD);
    } else if (outcome instanceof AckOutcome.Failed failed) {
      failed(
          json,
          text(failed.reason()),
          failed.queue().orElse(null),
          failed.partition().orElse(null));
    } else if (outcome instanceof AckOutcome.Rejected rejected) {
      failed(json, rejected.problem().text(), null, null);
    }
    return json.bytes();
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
      JsonBytes json, String error, @Nullable String queue, @Nullable String partition) {
    json.raw(FAILED).text(error).raw(QUEUE).text(queue).raw(PARTITION).text(partition);
    // An ack that changed nothing says nothing about the lease.
    json.raw(UNKNOWN_LEASE).raw(NOT_DEAD);
  }
}
