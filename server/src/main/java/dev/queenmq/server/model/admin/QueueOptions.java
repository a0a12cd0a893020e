package dev.queenmq.server.model.admin;

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

  private static final int DEFAULT_LEASE_SECONDS = 300;
  private static final int LEASE_OF_ZERO = 60;
  private static final int DEFAULT_RETRIES = 3;
  private static final int DEFAULT_DEDUP_SECONDS = 3600;

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

  /**
   * Every option as it takes effect, by its name in the HTTP contract. What is not set is given the
   * value that has the same effect. Only {@code deadLetterQueue} has none: not set is between true
   * and false, and stands as null.
   */
  public JsonObject inForce() {
    JsonObject defaults =
        new JsonObject()
            .put("leaseTime", DEFAULT_LEASE_SECONDS)
            .put("retryLimit", DEFAULT_RETRIES)
            .put("retryDelay", 0)
            .put("maxSize", 0)
            .put("ttl", 0)
            .putNull("deadLetterQueue")
            .put("dlqAfterMaxRetries", true)
            .put("priority", 0)
            .put("delayedProcessing", 0)
            .put("windowBuffer", 0)
            .put("retentionSeconds", 0)
            .put("completedRetentionSeconds", 0)
            .put("retentionEnabled", false)
            .put("encryptionEnabled", false)
            .put("maxWaitTimeSeconds", 0)
            .put("dedupWindowSeconds", DEFAULT_DEDUP_SECONDS);
    JsonObject all = defaults.mergeIn(toJson());
    return Integer.valueOf(0).equals(leaseTime) ? all.put("leaseTime", LEASE_OF_ZERO) : all;
  }

  private static void put(JsonObject json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
