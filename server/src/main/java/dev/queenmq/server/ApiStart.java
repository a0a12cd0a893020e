package dev.queenmq.server;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.values.SubscriptionMode;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.http.messages.BrokerApi;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.messages.PopDefaults;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.Subscription;
import java.time.InstantSource;

/** The routes that clients use, as the configuration wants them. */
final class ApiStart {
  private final ServerConfig config;
  private final Encryption encryption;
  private final MessageIds ids = new MessageIds(InstantSource.system());
  private final MemoryBudget memory;
  private final BodyHandler uploads;

  ApiStart(ServerConfig config, Encryption encryption) {
    this.config = config;
    this.encryption = encryption;
    memory = BodyHandler.budget(config.http().maxMemoryBytes());
    uploads = new BodyHandler(config.http().maxBodyBytes(), memory);
  }

  /** In front of a broker. */
  BrokerApi of(Broker broker, ObjectBounds bounds) {
    return new BrokerApi(
        broker,
        config.workerId() + "@" + config.statistics().hostname() + ":" + config.http().port(),
        ids,
        limits(),
        uploads,
        encryption,
        popDefaults(),
        config.pop().emptyStatus() == 200 ? EmptyPop.OK_WITH_BODY : EmptyPop.NO_CONTENT,
        bounds);
  }

  /** One for the whole life of the broker: they rise. */
  MessageIds ids() {
    return ids;
  }

  /** Takes in bodies for all routes. */
  BodyHandler uploads() {
    return uploads;
  }

  /** What requests hold, of all event loops together. */
  MemoryBudget memory() {
    return memory;
  }

  HttpLimits limits() {
    return HttpLimits.of(config.http(), config.pop().maxWait());
  }

  private PopDefaults popDefaults() {
    return new PopDefaults(
        config.pop().defaultBatch(),
        config.pop().defaultTimeout(),
        config.pop().defaultSubscriptionMode() == SubscriptionMode.NEW
            ? new Subscription.New()
            : new Subscription.All());
  }
}
