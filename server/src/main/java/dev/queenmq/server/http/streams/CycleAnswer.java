package dev.queenmq.server.http.streams;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.messages.AckCodec;
import dev.queenmq.server.http.messages.AckDraft;
import dev.queenmq.server.http.messages.PushCodec;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.streams.CycleOutcome.Pushed;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Writes what became of a cycle. */
final class CycleAnswer {
  private CycleAnswer() {}

  /** Without a key nothing is wrong with the cycle: it may succeed later, as a push may. */
  static int status(CycleOutcome outcome) {
    return outcome instanceof CycleOutcome.RolledBack rolledBack
            && rolledBack.reason() == CycleOutcome.Reason.KEY_MISSING
        ? 503
        : 200;
  }

  static Buffer write(Cycle cycle, CycleOutcome outcome) {
    if (outcome instanceof CycleOutcome.Committed committed) {
      return committed(cycle, committed);
    } else if (outcome instanceof CycleOutcome.RolledBack rolledBack) {
      return failed(cycle.queryId(), cycle.partitionId(), text(rolledBack.reason()));
    }
    throw new IllegalArgumentException("has no answer of this kind: " + outcome);
  }

  /** The answer to a cycle that was never tried. */
  static Buffer unsatisfiable(CycleRequest.Unsatisfiable unsatisfiable) {
    return failed(unsatisfiable.queryId(), unsatisfiable.partitionId(), unsatisfiable.error());
  }

  private static String text(CycleOutcome.Reason reason) {
    return switch (reason) {
      case QUERY_NOT_FOUND -> "Query not found";
      case PARTITION_NOT_FOUND -> "Partition not found";
      case LEASE_LOST -> AckDraft.LEASE_LOST;
      case MESSAGE_NOT_FOUND -> AckDraft.NOT_FOUND;
      case UNKNOWN_GROUP -> AckCodec.UNKNOWN_GROUP;
      case QUEUE_FULL -> PushCodec.QUEUE_FULL;
      case KEY_MISSING -> MissingKeyException.TEXT;
    };
  }

  private static Buffer committed(Cycle cycle, CycleOutcome.Committed committed) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          ids(json, cycle.queryId(), cycle.partitionId());
          json.writeStringField("queueName", committed.queue());
          json.writeNumberField("state_ops_applied", committed.changes());
          pushes(json, committed.pushes());
          json.writeFieldName("ack_result");
          if (committed.source().isPresent()) {
            source(json, committed.source().get());
          } else {
            json.writeNull();
          }
          json.writeEndObject();
        });
  }

  /** Nothing of it happened; the fields are there because clients look at them. */
  private static Buffer failed(UUID queryId, UUID partitionId, String error) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", false);
          json.writeStringField("error", error);
          ids(json, queryId, partitionId);
          json.writeNullField("queueName");
          json.writeNumberField("state_ops_applied", 0);
          pushes(json, List.of());
          json.writeNullField("ack_result");
          json.writeEndObject();
        });
  }

  private static void ids(JsonGenerator json, UUID queryId, UUID partitionId) throws IOException {
    JsonOutput.uuid(json, "query_id", queryId);
    JsonOutput.uuid(json, "partition_id", partitionId);
  }

  private static void pushes(JsonGenerator json, List<Pushed> pushes) throws IOException {
    json.writeArrayFieldStart("push_results");
    for (int i = 0; i < pushes.size(); i++) {
      Pushed push = pushes.get(i);
      json.writeStartObject();
      json.writeNumberField("index", i);
      json.writeStringField("status", push.duplicate() ? "duplicate" : "queued");
      json.writeStringField("transaction_id", push.transactionId());
      JsonOutput.uuid(json, "message_id", push.messageId());
      if (!push.duplicate()) {
        JsonOutput.uuid(json, "partition_id", push.partitionId());
        JsonOutput.uuid(json, "trace_id", push.traceId());
      }
      json.writeStringField("queueName", push.queue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void source(JsonGenerator json, CycleOutcome.SourceResult source)
      throws IOException {
    json.writeStartObject();
    json.writeBooleanField("success", true);
    json.writeNumberField("count", source.count());
    json.writeBooleanField("lease_released", source.leaseReleased());
    json.writeBooleanField("dlq", source.deadLettered());
    json.writeEndObject();
  }
}
