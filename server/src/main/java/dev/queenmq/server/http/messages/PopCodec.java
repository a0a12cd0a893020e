package dev.queenmq.server.http.messages;

import dev.queenmq.server.http.json.JsonBytes;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.StoredMessage;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answers to pops. */
public final class PopCodec {
  /** The size of a message without its names and its payload. */
  private static final int MESSAGE_BYTES = 360;

  private static final int EXPIRY_BYTES = 64;

  private static final byte[] SUCCESS = JsonBytes.ascii("{\"success\":true,\"queue\":");
  private static final byte[] CLAIMED = JsonBytes.ascii(",\"partitionsClaimed\":");
  private static final byte[] MESSAGES = JsonBytes.ascii(",\"messages\":[");
  private static final byte[] FIRST_ID = JsonBytes.ascii("{\"id\":");
  private static final byte[] NEXT_ID = JsonBytes.ascii(",{\"id\":");
  private static final byte[] TRANSACTION_ID = JsonBytes.ascii(",\"transactionId\":");
  private static final byte[] TRACE_ID = JsonBytes.ascii(",\"traceId\":");
  private static final byte[] DATA = JsonBytes.ascii(",\"data\":");
  private static final byte[] PRODUCER = JsonBytes.ascii(",\"producerSub\":");
  private static final byte[] CREATED_AT = JsonBytes.ascii(",\"createdAt\":");
  private static final byte[] QUEUE = JsonBytes.ascii(",\"queue\":");
  private static final byte[] PARTITION_ID = JsonBytes.ascii(",\"partitionId\":");
  private static final byte[] PARTITION = JsonBytes.ascii(",\"partition\":");
  private static final byte[] LEASE_ID = JsonBytes.ascii(",\"leaseId\":");
  private static final byte[] GROUP = JsonBytes.ascii(",\"consumerGroup\":");
  private static final byte[] ATTEMPT = JsonBytes.ascii(",\"attempt\":");
  private static final byte[] EXPIRES_AT = JsonBytes.ascii(",\"leaseExpiresAt\":");
  private static final byte[] END = JsonBytes.ascii("]}");

  private PopCodec() {}

  /** What a pop got. */
  public static Buffer messages(Polled polled) {
    PartitionBatch first = polled.batches().get(0);
    JsonBytes json = new JsonBytes(expected(polled));
    json.raw(SUCCESS).text(first.queue());
    json.raw(PARTITION).text(first.partition());
    json.raw(PARTITION_ID).uuid(first.partitionId());
    json.raw(LEASE_ID).text(leaseId(first));
    json.raw(GROUP).text(polled.group());
    json.raw(CLAIMED).number(polled.batches().size());
    json.raw(MESSAGES);
    boolean next = false;
    for (PartitionBatch batch : polled.batches()) {
      BatchFields fields = new BatchFields(batch, polled.group());
      for (StoredMessage message : batch.messages()) {
        json.raw(next ? NEXT_ID : FIRST_ID);
        fields.write(json, message);
        next = true;
      }
    }
    return json.raw(END).finish();
  }

  private static int expected(Polled polled) {
    long bytes = MESSAGE_BYTES;
    for (PartitionBatch batch : polled.batches()) {
      int names = batch.queue().length() + batch.partition().length() + polled.group().length();
      for (StoredMessage message : batch.messages()) {
        bytes +=
            MESSAGE_BYTES + names + message.transactionId().length() + message.payload().length();
      }
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE / 2);
  }

  /** The fields of messages, of which those of a batch have many in common. */
  private static final class BatchFields {
    private final byte[] ofBatch;
    private final byte[] end;
    private Instant lastCreatedAt = Instant.MIN;
    private byte[] createdAt = new byte[0];

    BatchFields(PartitionBatch batch, String group) {
      ofBatch =
          new JsonBytes(MESSAGE_BYTES)
              .raw(QUEUE)
              .text(batch.queue())
              .raw(PARTITION_ID)
              .uuid(batch.partitionId())
              .raw(PARTITION)
              .text(batch.partition())
              .raw(LEASE_ID)
              .text(leaseId(batch))
              .raw(GROUP)
              .text(group)
              .raw(ATTEMPT)
              .bytes();
      end =
          new JsonBytes(EXPIRY_BYTES)
              .raw(EXPIRES_AT)
              .text(batch.lease().map(lease -> Timestamps.millis(lease.expiresAt())).orElse(null))
              .raw('}')
              .bytes();
    }

    /** All but the name of the first one. */
    void write(JsonBytes json, StoredMessage message) {
      json.uuid(message.id());
      json.raw(TRANSACTION_ID).text(message.transactionId());
      json.raw(TRACE_ID).uuid(message.traceId());
      json.raw(DATA).raw(message.payload());
      json.raw(PRODUCER).text(message.producerSub());
      json.raw(CREATED_AT).raw(createdAt(message.createdAt()));
      json.raw(ofBatch).number(message.attempt()).raw(end);
    }

    /** Messages that were pushed together share the moment. */
    private byte[] createdAt(Instant moment) {
      if (!moment.equals(lastCreatedAt)) {
        lastCreatedAt = moment;
        createdAt = JsonBytes.quoted(Timestamps.micros(moment));
      }
      return createdAt;
    }
  }

  private static String leaseId(PartitionBatch batch) {
    return batch.lease().map(lease -> lease.id().toString()).orElse("");
  }

  /** Why a pop got nothing, for clients that want a body. */
  static Buffer nothing(PollRequest request, Polled.EmptyReason why) {
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
