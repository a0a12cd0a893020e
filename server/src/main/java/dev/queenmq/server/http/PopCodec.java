package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.store.PartitionBatch;
import dev.queenmq.server.store.StoredMessage;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The answers to pops. */
final class PopCodec {

  private PopCodec() {}

  /** What a pop got. */
  static Buffer messages(Polled polled) {
    PartitionBatch first = polled.batches().get(0);
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          json.writeStringField("queue", first.queue());
          json.writeStringField("partition", first.partition());
          JsonOutput.uuid(json, "partitionId", first.partitionId());
          json.writeStringField("leaseId", leaseId(first));
          json.writeStringField("consumerGroup", polled.group());
          json.writeNumberField("partitionsClaimed", polled.batches().size());
          json.writeArrayFieldStart("messages");
          for (PartitionBatch batch : polled.batches()) {
            batch(json, batch, polled.group());
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void batch(JsonGenerator json, PartitionBatch batch, String group)
      throws IOException {
    String partitionId = batch.partitionId().toString();
    String leaseId = leaseId(batch);
    String expiresAt =
        batch.lease().map(lease -> Timestamps.millis(lease.expiresAt())).orElse(null);
    for (StoredMessage message : batch.messages()) {
      json.writeStartObject();
      JsonOutput.uuid(json, "id", message.id());
      json.writeStringField("transactionId", message.transactionId());
      JsonOutput.uuid(json, "traceId", message.traceId());
      json.writeFieldName("data");
      JsonOutput.raw(json, message.payload());
      json.writeStringField("producerSub", message.producerSub());
      json.writeStringField("createdAt", Timestamps.micros(message.createdAt()));
      json.writeStringField("queue", batch.queue());
      json.writeStringField("partitionId", partitionId);
      json.writeStringField("partition", batch.partition());
      json.writeStringField("leaseId", leaseId);
      json.writeStringField("consumerGroup", group);
      json.writeNumberField("attempt", message.attempt());
      json.writeStringField("leaseExpiresAt", expiresAt);
      json.writeEndObject();
    }
  }

  private static String leaseId(PartitionBatch batch) {
    return batch.lease().map(lease -> lease.id().toString()).orElse("");
  }

  /** Why a pop got nothing, for those who want to be told. */
  static Buffer nothing(PollRequest request, Polled.Nothing why) {
    return switch (why) {
      case NO_AVAILABLE_PARTITION -> unsuccessful("no_available_partition");
      case PARTITION_NOT_FOUND -> unsuccessful("partition_not_found");
      case LEASE_HELD -> unsuccessful("lease_held");
      case EMPTY -> empty(request, "", json -> json.writeNumberField("partitionsClaimed", 1));
      case WINDOW_BUFFER ->
          empty(request, "", json -> json.writeBooleanField("windowBufferActive", true));
      case PAUSED -> empty(request, null, json -> json.writeBooleanField("paused", true));
      case TIMED_OUT, NONE -> empty(request, null, json -> {});
    };
  }

  private static Buffer unsuccessful(String error) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", false);
          json.writeStringField("error", error);
          json.writeArrayFieldStart("messages");
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static Buffer empty(PollRequest request, @Nullable String leaseId, JsonOutput.Body more) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          json.writeStringField("queue", queue(request.target()));
          json.writeStringField("partition", partition(request.target()));
          json.writeNullField("partitionId");
          json.writeStringField("leaseId", leaseId);
          json.writeStringField("consumerGroup", request.group());
          json.writeArrayFieldStart("messages");
          json.writeEndArray();
          more.write(json);
          json.writeEndObject();
        });
  }

  private static String queue(PollTarget target) {
    if (target instanceof PollTarget.Queue queue) {
      return queue.queue();
    }
    return target instanceof PollTarget.Partition partition ? partition.queue() : "";
  }

  private static String partition(PollTarget target) {
    return target instanceof PollTarget.Partition partition ? partition.partition() : "";
  }
}
