package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.admin.QueueOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A queue of the model. */
final class ModelQueue {
  private static final JsonObject DEFAULTS =
      new JsonObject()
          .put("leaseTime", 300)
          .put("retryLimit", 3)
          .put("maxSize", 0)
          .put("priority", 0)
          .put("delayedProcessing", 0)
          .put("windowBuffer", 0)
          .put("retentionSeconds", 0)
          .put("completedRetentionSeconds", 0)
          .put("retentionEnabled", false)
          .put("encryptionEnabled", false)
          .put("maxWaitTimeSeconds", 0)
          .put("dedupWindowSeconds", 3600);

  final String name;
  final Map<String, ModelPartition> partitions = new TreeMap<>();
  QueueOptions options = QueueOptions.of(DEFAULTS);

  /** Since when pops are paused, by group. */
  final Map<Optional<String>, Instant> pauses = new HashMap<>();

  ModelQueue(String name) {
    this.name = name;
  }

  ModelQueue copy() {
    ModelQueue copy = new ModelQueue(name);
    partitions.forEach((key, partition) -> copy.partitions.put(key, partition.copy()));
    copy.options = options;
    copy.pauses.putAll(pauses);
    return copy;
  }

  void configure(QueueOptions given, boolean merge) {
    JsonObject start = merge ? options.toJson() : DEFAULTS.copy();
    options = QueueOptions.of(normal(start.mergeIn(given.toJson())));
  }

  /** Values that mean the same are one. */
  private static JsonObject normal(JsonObject options) {
    if (Integer.valueOf(0).equals(options.getInteger("leaseTime"))) {
      options.put("leaseTime", 60);
    }
    for (String unset : List.of("retryDelay", "ttl")) {
      if (Integer.valueOf(0).equals(options.getInteger(unset))) {
        options.remove(unset);
      }
    }
    if (Boolean.TRUE.equals(options.getBoolean("dlqAfterMaxRetries"))) {
      options.remove("dlqAfterMaxRetries");
    }
    return options;
  }

  boolean isPaused(String group) {
    return pauses.containsKey(Optional.<String>empty()) || pauses.containsKey(Optional.of(group));
  }

  Duration leaseTime() {
    int seconds = Objects.requireNonNull(options.leaseTime());
    return Duration.ofSeconds(seconds == 0 ? 60 : seconds);
  }

  int retryLimit() {
    return Objects.requireNonNull(options.retryLimit());
  }

  Optional<Duration> retryDelay() {
    return Optional.ofNullable(options.retryDelay()).map(Duration::ofMillis);
  }

  Duration delayedProcessing() {
    return Duration.ofSeconds(Objects.requireNonNull(options.delayedProcessing()));
  }

  Duration windowBuffer() {
    return Duration.ofSeconds(Objects.requireNonNull(options.windowBuffer()));
  }

  /** Messages older than this are not delivered. */
  Optional<Duration> ttl() {
    return Optional.ofNullable(options.ttl()).filter(ttl -> ttl > 0).map(Duration::ofSeconds);
  }

  boolean buriesExpired() {
    return Boolean.TRUE.equals(options.deadLetterQueue());
  }

  /** Whether a message that has failed too often is given up. */
  boolean givesUp() {
    return !Boolean.FALSE.equals(options.deadLetterQueue())
        && !Boolean.FALSE.equals(options.dlqAfterMaxRetries());
  }

  int dedupWindow() {
    return Objects.requireNonNull(options.dedupWindowSeconds());
  }
}
