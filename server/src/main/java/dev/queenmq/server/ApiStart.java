package dev.queenmq.server;

import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SubscriptionMode;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.http.BrokerApi;
import dev.queenmq.server.http.EmptyPop;
import dev.queenmq.server.http.HttpLimits;
import dev.queenmq.server.http.PopDefaults;
import dev.queenmq.server.sidecar.Broker;
import dev.queenmq.server.store.MessageIds;
import dev.queenmq.server.store.Subscription;
import java.time.InstantSource;

/** The routes that clients use, as the configuration wants them. */
final class ApiStart {
  private final ServerConfig config;
  private final Encryption encryption;
  private final MessageIds ids = new MessageIds(InstantSource.system());

  ApiStart(ServerConfig config, Encryption encryption) {
    this.config = config;
    this.encryption = encryption;
  }

  /** In front of a broker. */
  BrokerApi of(Broker broker) {
    return new BrokerApi(
        broker,
        config.workerId() + "@" + config.statistics().hostname() + ":" + config.http().port(),
        ids,
        limits(),
        encryption,
        popDefaults(),
        config.pop().emptyStatus() == 200 ? EmptyPop.OK_WITH_BODY : EmptyPop.NO_CONTENT);
  }

  /** One for the whole life of the broker: they rise. */
  MessageIds ids() {
    return ids;
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
