package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** Makes configurations, of the options that the store itself obeys. */
final class OptionsGenerator {
  private final Dice dice;
  private final SequenceProfile profile;

  OptionsGenerator(Dice dice, SequenceProfile profile) {
    this.dice = dice;
    this.profile = profile;
  }

  Step configure(int broker) {
    return new Step.Configure(broker, List.of(configuration(dice.oneOf(profile.queues()))));
  }

  Step configureAll(int broker) {
    return new Step.Configure(broker, profile.queues().stream().map(this::configuration).toList());
  }

  private QueueConfiguration configuration(String queue) {
    return new QueueConfiguration(
        queue, Optional.empty(), Optional.empty(), QueueOptions.of(options()), dice.percent(50));
  }

  private JsonObject options() {
    JsonObject options = new JsonObject();
    if (dice.percent(60)) {
      options.put("leaseTime", dice.oneOf(0, 10, 30, 60));
    }
    if (dice.percent(60)) {
      options.put("retryLimit", dice.oneOf(0, 1, 1, 2));
    }
    if (dice.percent(30)) {
      options.put("retryDelay", dice.oneOf(0, 10_000, 10_500));
    }
    if (dice.percent(25)) {
      options.put("windowBuffer", dice.oneOf(0, 10, 20));
    }
    if (dice.percent(25)) {
      options.put("delayedProcessing", dice.oneOf(0, 10, 30));
    }
    if (profile.clockSetBack()) {
      options.put("dedupWindowSeconds", dice.oneOf(-1, -1, 0));
    } else if (dice.percent(40)) {
      options.put("dedupWindowSeconds", dice.oneOf(-1, 0, 10, 60, 3600));
    }
    if (dice.percent(25)) {
      options
          .put("maxWaitTimeSeconds", dice.oneOf(0, 10, 60))
          .put("deadLetterQueue", dice.percent(50));
    }
    if (dice.percent(10)) {
      // A clock that was set back makes plain messages look younger than the switch: they are held.
      options.put("priority", dice.below(5)).put("encryptionEnabled", !profile.clockSetBack());
    }
    if (dice.percent(25)) {
      options.put("ttl", dice.oneOf(0, 20, 40, 1000));
    }
    if (dice.percent(20)) {
      options.put("deadLetterQueue", dice.percent(70));
    }
    if (dice.percent(20)) {
      options.put("dlqAfterMaxRetries", dice.percent(50));
    }
    return options;
  }
}
