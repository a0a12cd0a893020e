package dev.queenmq.server.http.messages;

import dev.queenmq.server.model.Subscription;
import java.time.Duration;

/**
 * Defaults of a pop.
 *
 * @param batch how many messages
 * @param timeout how long a long poll lasts
 * @param subscription where a new consumer group starts
 */
public record PopDefaults(int batch, Duration timeout, Subscription subscription) {

  /** The defaults of the HTTP contract. */
  public static PopDefaults standard() {
    return new PopDefaults(1, Duration.ofSeconds(30), new Subscription.All());
  }
}
