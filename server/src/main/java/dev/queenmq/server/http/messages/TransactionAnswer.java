package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome.Cause;
import dev.queenmq.server.model.transactions.TransactionOutcome.KeptAck;
import dev.queenmq.server.model.transactions.TransactionOutcome.KeptPush;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes what became of a transaction. */
final class TransactionAnswer {

  private TransactionAnswer() {}

  static final String KEY_TAKEN =
      "Idempotency-Key was used for another transaction; use a new key for other content";

  /** Only what the operator has to repair is an error of the server's. */
  static int status(TransactionOutcome outcome) {
    if (outcome instanceof TransactionOutcome.KeyTaken) {
      return 422;
    }
    return outcome instanceof TransactionOutcome.RolledBack rolledBack
            && rolledBack.cause() instanceof Cause.KeyMissing
        ? 503
        : 200;
  }

  static Buffer write(UUID id, Transaction transaction, TransactionOutcome outcome) {
    if (outcome instanceof TransactionOutcome.Committed committed) {
      return committed(id, transaction, committed);
    }
    if (outcome instanceof TransactionOutcome.Repeated repeated) {
      return repeated(transaction, repeated);
    }
    if (outcome instanceof TransactionOutcome.KeyTaken) {
      return unsatisfiable(id, KEY_TAKEN);
    }
    Cause cause = ((TransactionOutcome.RolledBack) outcome).cause();
    return failed(id, error(cause), json -> culprit(json, transaction, cause));
  }

  /** The answer to a transaction that was never tried. */
  static Buffer unsatisfiable(UUID id, String error) {
    return failed(id, error, json -> {});
  }

  private static Buffer committed(
      UUID id, Transaction transaction, TransactionOutcome.Committed committed) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          JsonOutput.uuid(json, "transactionId", id);
          json.writeArrayFieldStart("results");
          for (int i = 0; i < committed.results().size(); i++) {
            json.writeStartObject();
            json.writeNumberField("index", i);
            result(json, transaction.operations().get(i), committed.results().get(i));
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  /** As it was answered then: what does not stand in the kept answer stands in the request. */
  private static Buffer repeated(Transaction transaction, TransactionOutcome.Repeated repeated) {
    Map<Integer, KeptPush> pushes = new HashMap<>();
    repeated.pushes().forEach(push -> pushes.put(push.operation(), push));
    Map<Integer, KeptAck> acks = new HashMap<>();
    repeated.acks().forEach(ack -> acks.put(ack.operation(), ack));
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          JsonOutput.uuid(json, "transactionId", repeated.id());
          json.writeArrayFieldStart("results");
          for (int i = 0; i < transaction.operations().size(); i++) {
            json.writeStartObject();
            json.writeNumberField("index", i);
            Operation operation = transaction.operations().get(i);
            @Nullable KeptPush push = pushes.get(i);
            if (push != null && operation instanceof Operation.Push given) {
              pushed(
                  json,
                  push.transactionId(),
                  push.messageId(),
                  push.partitionId(),
                  given.message().queue());
            } else if (operation instanceof Operation.Acknowledge given) {
              @Nullable KeptAck ack = acks.get(i);
              acknowledged(json, given.ack(), ack != null && ack.deadLettered());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void pushed(
      JsonGenerator json, String transactionId, UUID messageId, UUID partitionId, String queue)
      throws IOException {
    json.writeStringField("type", "push");
    json.writeBooleanField("success", true);
    json.writeStringField("transactionId", transactionId);
    JsonOutput.uuid(json, "messageId", messageId);
    JsonOutput.uuid(json, "partitionId", partitionId);
    json.writeStringField("queueName", queue);
  }

  private static void acknowledged(JsonGenerator json, Ack ack, boolean deadLettered)
      throws IOException {
    json.writeStringField("type", "ack");
    json.writeBooleanField("success", true);
    json.writeStringField("transactionId", transactionId(ack));
    json.writeNullField("error");
    json.writeBooleanField("dlq", deadLettered);
  }

  private static void result(JsonGenerator json, Operation operation, OperationResult result)
      throws IOException {
    if (operation instanceof Operation.Push push && result instanceof OperationResult.Pushed done) {
      pushed(
          json,
          push.message().transactionId(),
          done.queued().messageId(),
          done.queued().partitionId(),
          push.message().queue());
    } else if (operation instanceof Operation.Acknowledge acknowledge
        && result instanceof OperationResult.Acknowledged done) {
      acknowledged(json, acknowledge.ack(), done.applied().deadLettered());
    }
  }

  private static Buffer failed(UUID id, String error, JsonOutput.Body results) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          JsonOutput.uuid(json, "transactionId", id);
          json.writeBooleanField("success", false);
          json.writeStringField("error", error);
          json.writeArrayFieldStart("results");
          results.write(json);
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  /** The ack that stood in the way, as clients of the older server may look for it. */
  private static void culprit(JsonGenerator json, Transaction transaction, Cause cause)
      throws IOException {
    if (cause instanceof Cause.AckFailed failed
        && transaction.operations().get(failed.operation())
            instanceof Operation.Acknowledge acknowledge) {
      json.writeStartObject();
      json.writeNumberField("index", failed.operation());
      json.writeStringField("type", "ack");
      json.writeBooleanField("success", false);
      json.writeStringField("transactionId", transactionId(acknowledge.ack()));
      json.writeStringField("error", AckCodec.text(failed.failed().reason()));
      json.writeBooleanField("dlq", false);
      json.writeEndObject();
    }
  }

  private static String transactionId(Ack ack) {
    return ack.message() instanceof MessageRef.ByTransactionId id ? id.transactionId() : "";
  }

  private static String error(Cause cause) {
    if (cause instanceof Cause.DuplicatePush duplicate) {
      return "Operation "
          + duplicate.operation()
          + ": duplicate key: the transactionId was pushed before";
    } else if (cause instanceof Cause.AckFailed failed) {
      return "ACK operation failed: " + AckCodec.text(failed.failed().reason());
    } else if (cause instanceof Cause.QueueFull) {
      return PushCodec.QUEUE_FULL;
    } else if (cause instanceof Cause.Rejected rejected) {
      return "Operation " + rejected.operation() + ": " + rejected.problem().text();
    } else if (cause instanceof Cause.KeyMissing missing) {
      return "Operation " + missing.operation() + ": " + MissingKeyException.TEXT;
    }
    return AckDraft.LEASE_LOST;
  }
}
