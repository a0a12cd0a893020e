package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What all workers of an audit share. All of them live on one event loop. */
final class Scene {
  private final Context context;
  private final AuditedBrokers brokers;
  private final Random random;
  private final HttpAuditSettings settings;
  private final Names names;
  private final HttpLedger ledger;
  private int wires;
  private volatile Phase phase = Phase.RUN;

  Scene(
      Context context,
      AuditedBrokers brokers,
      HttpAuditSettings settings,
      Names names,
      HttpLedger ledger) {
    this.context = context;
    this.brokers = brokers;
    random = new Random(~settings.seed());
    this.settings = settings;
    this.names = names;
    this.ledger = ledger;
  }

  Context context() {
    return context;
  }

  HttpAuditSettings settings() {
    return settings;
  }

  Names names() {
    return names;
  }

  HttpLedger ledger() {
    return ledger;
  }

  Phase phase() {
    return phase;
  }

  void enter(Phase next) {
    phase = next;
  }

  /** A connection of somebody's own, to any of the brokers. */
  Wire newWire() {
    List<BrokerUrl> urls = brokers.urls();
    Manners.Choosing choosing = settings.manners().choosing();
    // In turn, so that none is without clients; not in step with the groups, which come in turn
    // too.
    int turn = wires + wires / urls.size();
    wires++;
    int first =
        choosing == Manners.Choosing.AT_HOME ? turn % urls.size() : random.nextInt(urls.size());
    return new Wire(
        context.owner(),
        new BrokerChoice(urls, first, choosing, new Random(random.nextLong())),
        settings.manners().patience());
  }

  /** Whether nobody has taken this broker down. */
  boolean isUp(BrokerUrl url) {
    return brokers.isUp(url);
  }

  /** Completes after a while. */
  Future<Void> pause(Duration time) {
    Promise<Void> over = Promise.promise();
    context.owner().setTimer(Math.max(1, time.toMillis()), fired -> over.complete());
    return over.future();
  }
}
