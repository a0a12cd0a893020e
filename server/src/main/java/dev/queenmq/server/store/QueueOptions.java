package dev.queenmq.server.store;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The options a caller sets on a queue; null where nothing is said. */
public record QueueOptions(
    @Nullable Integer leaseTime,
    @Nullable Integer retryLimit,
    @Nullable Integer retryDelay,
    @Nullable Integer maxSize,
    @Nullable Integer ttl,
    @Nullable Boolean deadLetterQueue,
    @Nullable Boolean dlqAfterMaxRetries,
    @Nullable Integer priority,
    @Nullable Integer delayedProcessing,
    @Nullable Integer windowBuffer,
    @Nullable Integer retentionSeconds,
    @Nullable Integer completedRetentionSeconds,
    @Nullable Boolean retentionEnabled,
    @Nullable Boolean encryptionEnabled,
    @Nullable Integer maxWaitTimeSeconds,
    @Nullable Integer dedupWindowSeconds) {

  /** Says nothing about any option. */
  public static final QueueOptions NONE = of(new JsonObject());

  /** Reads the options by their names in the HTTP contract; wrong types throw. */
  public static QueueOptions of(JsonObject json) {
    return new QueueOptions(
        json.getInteger("leaseTime"),
        json.getInteger("retryLimit"),
        json.getInteger("retryDelay"),
        json.getInteger("maxSize"),
        json.getInteger("ttl"),
        json.getBoolean("deadLetterQueue"),
        json.getBoolean("dlqAfterMaxRetries"),
        json.getInteger("priority"),
        json.getInteger("delayedProcessing"),
        json.getInteger("windowBuffer"),
        json.getInteger("retentionSeconds"),
        json.getInteger("completedRetentionSeconds"),
        json.getBoolean("retentionEnabled"),
        json.getBoolean("encryptionEnabled"),
        json.getInteger("maxWaitTimeSeconds"),
        json.getInteger("dedupWindowSeconds"));
  }

  /** The options that are set, by their names in the HTTP contract. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject();
    put(json, "leaseTime", leaseTime);
    put(json, "retryLimit", retryLimit);
    put(json, "retryDelay", retryDelay);
    put(json, "maxSize", maxSize);
    put(json, "ttl", ttl);
    put(json, "deadLetterQueue", deadLetterQueue);
    put(json, "dlqAfterMaxRetries", dlqAfterMaxRetries);
    put(json, "priority", priority);
    put(json, "delayedProcessing", delayedProcessing);
    put(json, "windowBuffer", windowBuffer);
    put(json, "retentionSeconds", retentionSeconds);
    put(json, "completedRetentionSeconds", completedRetentionSeconds);
    put(json, "retentionEnabled", retentionEnabled);
    put(json, "encryptionEnabled", encryptionEnabled);
    put(json, "maxWaitTimeSeconds", maxWaitTimeSeconds);
    put(json, "dedupWindowSeconds", dedupWindowSeconds);
    return json;
  }

  private static void put(JsonObject json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
