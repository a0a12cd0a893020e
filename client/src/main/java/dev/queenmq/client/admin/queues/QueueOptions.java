package dev.queenmq.client.admin.queues;

import org.jspecify.annotations.Nullable;

/**
 * The options of a queue. In an answer all of them are there, as they are in force. In a request
 * those that are null are not sent: the broker then gives them their defaults, or with {@code
 * QueueAdmin.change} leaves them as they are.
 *
 * @param leaseTime seconds that a lease lasts; 0 means 60
 * @param retryLimit failures after which a message is a dead letter
 * @param retryDelay milliseconds that a partition pauses after a failure
 * @param maxSize how many unfinished messages the queue takes; 0 for any number
 * @param ttl seconds after which messages are not delivered any more; 0 for never
 * @param deadLetterQueue true keeps expired messages as dead letters; false retries failed messages
 *     without end; null is neither
 * @param dlqAfterMaxRetries whether messages beyond {@code retryLimit} become dead letters
 * @param priority of the queue in a pop by namespace or task, highest first
 * @param delayedProcessing seconds that a message must be old to be delivered
 * @param windowBuffer seconds that the newest message of a partition must be old for any of it to
 *     be delivered
 * @param retentionSeconds after which messages are removed, whether they are done or not
 * @param completedRetentionSeconds after which messages are removed that are done
 * @param retentionEnabled whether these two are in force
 * @param encryptionEnabled whether payloads are stored encrypted
 * @param maxWaitTimeSeconds after which a group loses what it left waiting
 * @param dedupWindowSeconds within which a transaction id is a duplicate; 0 for never, -1 for as
 *     long as the message is stored
 */
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

  /**
   * Options without any value.
   *
   * @return the options
   */
  public static QueueOptions none() {
    return builder().build();
  }

  /**
   * Collects values.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the values of options; not for several threads. */
  public static final class Builder {
    private @Nullable Integer leaseTime;
    private @Nullable Integer retryLimit;
    private @Nullable Integer retryDelay;
    private @Nullable Integer maxSize;
    private @Nullable Integer ttl;
    private @Nullable Boolean deadLetterQueue;
    private @Nullable Boolean dlqAfterMaxRetries;
    private @Nullable Integer priority;
    private @Nullable Integer delayedProcessing;
    private @Nullable Integer windowBuffer;
    private @Nullable Integer retentionSeconds;
    private @Nullable Integer completedRetentionSeconds;
    private @Nullable Boolean retentionEnabled;
    private @Nullable Boolean encryptionEnabled;
    private @Nullable Integer maxWaitTimeSeconds;
    private @Nullable Integer dedupWindowSeconds;

    private Builder() {}

    /**
     * Seconds that a lease lasts.
     *
     * @param seconds 0 means 60
     * @return this
     */
    public Builder leaseTime(int seconds) {
      leaseTime = seconds;
      return this;
    }

    /**
     * Failures after which a message is a dead letter.
     *
     * @param failures how many
     * @return this
     */
    public Builder retryLimit(int failures) {
      retryLimit = failures;
      return this;
    }

    /**
     * Milliseconds that a partition pauses after a failure.
     *
     * @param millis 0 for none
     * @return this
     */
    public Builder retryDelay(int millis) {
      retryDelay = millis;
      return this;
    }

    /**
     * How many unfinished messages the queue takes.
     *
     * @param messages 0 for any number
     * @return this
     */
    public Builder maxSize(int messages) {
      maxSize = messages;
      return this;
    }

    /**
     * Seconds after which messages are not delivered any more.
     *
     * @param seconds 0 for never
     * @return this
     */
    public Builder ttl(int seconds) {
      ttl = seconds;
      return this;
    }

    /**
     * Whether expired messages become dead letters; false retries failed ones without end.
     *
     * @param kept whether they do
     * @return this
     */
    public Builder deadLetterQueue(boolean kept) {
      deadLetterQueue = kept;
      return this;
    }

    /**
     * Whether messages that failed too often become dead letters.
     *
     * @param kept whether they do
     * @return this
     */
    public Builder dlqAfterMaxRetries(boolean kept) {
      dlqAfterMaxRetries = kept;
      return this;
    }

    /**
     * The place of the queue in a pop by namespace or task, highest first.
     *
     * @param value the place
     * @return this
     */
    public Builder priority(int value) {
      priority = value;
      return this;
    }

    /**
     * Seconds that a message must be old to be delivered.
     *
     * @param seconds 0 for none
     * @return this
     */
    public Builder delayedProcessing(int seconds) {
      delayedProcessing = seconds;
      return this;
    }

    /**
     * Seconds that the newest message of a partition must be old for any to be delivered.
     *
     * @param seconds 0 for none
     * @return this
     */
    public Builder windowBuffer(int seconds) {
      windowBuffer = seconds;
      return this;
    }

    /**
     * Seconds after which messages are removed; needs {@link #retentionEnabled}.
     *
     * @param seconds 0 for never
     * @return this
     */
    public Builder retentionSeconds(int seconds) {
      retentionSeconds = seconds;
      return this;
    }

    /**
     * Seconds after which finished messages are removed; needs {@link #retentionEnabled}.
     *
     * @param seconds 0 for never
     * @return this
     */
    public Builder completedRetentionSeconds(int seconds) {
      completedRetentionSeconds = seconds;
      return this;
    }

    /**
     * Whether retention is in force.
     *
     * @param enabled whether it is
     * @return this
     */
    public Builder retentionEnabled(boolean enabled) {
      retentionEnabled = enabled;
      return this;
    }

    /**
     * Whether payloads are stored encrypted.
     *
     * @param enabled whether they are
     * @return this
     */
    public Builder encryptionEnabled(boolean enabled) {
      encryptionEnabled = enabled;
      return this;
    }

    /**
     * Seconds after which a group loses what it left waiting.
     *
     * @param seconds 0 for never
     * @return this
     */
    public Builder maxWaitTimeSeconds(int seconds) {
      maxWaitTimeSeconds = seconds;
      return this;
    }

    /**
     * Seconds within which a transaction id is a duplicate.
     *
     * @param seconds 0 for never, -1 for as long as the message is stored
     * @return this
     */
    public Builder dedupWindowSeconds(int seconds) {
      dedupWindowSeconds = seconds;
      return this;
    }

    /**
     * The options with what was collected.
     *
     * @return the options
     */
    public QueueOptions build() {
      return new QueueOptions(
          leaseTime,
          retryLimit,
          retryDelay,
          maxSize,
          ttl,
          deadLetterQueue,
          dlqAfterMaxRetries,
          priority,
          delayedProcessing,
          windowBuffer,
          retentionSeconds,
          completedRetentionSeconds,
          retentionEnabled,
          encryptionEnabled,
          maxWaitTimeSeconds,
          dedupWindowSeconds);
    }
  }
}
