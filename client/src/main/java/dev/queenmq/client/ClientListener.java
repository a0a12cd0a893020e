package dev.queenmq.client;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of a client, for metrics. All methods do nothing unless overridden. They are
 * called on any thread, must be quick and must not block; what they throw is logged and ignored.
 */
public interface ClientListener {

  /**
   * An attempt of an HTTP request ended.
   *
   * @param attempt what was sent and what came of it
   */
  default void onAttempt(Attempt attempt) {}

  /**
   * A push was answered.
   *
   * @param queue the queue
   * @param status what became of the messages
   * @param messages how many had this status
   */
  default void onPushed(String queue, PushResult.Status status, int messages) {}

  /**
   * A consumer received messages.
   *
   * @param queue the queue
   * @param group the consumer group
   * @param messages how many
   */
  default void onReceived(String queue, String group, int messages) {}

  /**
   * A handler of a consumer ended.
   *
   * @param queue the queue
   * @param group the consumer group
   * @param messages how many it was given: one, or those of a batch
   * @param took how long it ran
   * @param error what it threw, null if it succeeded
   */
  default void onHandled(
      String queue, String group, int messages, Duration took, @Nullable Throwable error) {}

  /**
   * A consumer could not pop or ack; it goes on after a pause.
   *
   * @param queue the queue
   * @param group the consumer group
   * @param error why
   */
  default void onConsumerError(String queue, String group, Throwable error) {}

  /**
   * One attempt of a request.
   *
   * @param method the HTTP method
   * @param route the path with <code>{}</code> in place of names, fit for a label of a metric
   * @param server the broker
   * @param status the HTTP status, 0 if there was no answer
   * @param took from sending to the end of the answer
   * @param number 1 for the first attempt
   */
  record Attempt(String method, String route, URI server, int status, Duration took, int number) {}
}
