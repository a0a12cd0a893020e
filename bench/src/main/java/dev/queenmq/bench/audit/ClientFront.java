package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Through;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.client.ClientListener;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.RejectedException;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.client.Routing;
import dev.queenmq.client.UnauthorizedException;
import dev.queenmq.client.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * The Java client between the audit and the brokers. Producers push with it, consumers are handlers
 * of it. The queue is made, and all of it is read in the end, by HTTP alone: the client does not
 * check itself.
 */
final class ClientFront extends FrontEnd {
  private static final Duration GIVE_UP = Duration.ofMinutes(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final AuditedBrokers brokers;
  private final HttpFront http;
  private final LongAdder requests = new LongAdder();
  private final LongAdder again = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final LongAdder consumerErrors = new LongAdder();
  private final LongAdder restarts = new LongAdder();
  private final LongAdder batches = new LongAdder();

  @SuppressWarnings("NullAway.Init")
  private AuditContext audit;

  ClientFront(AuditedBrokers brokers) {
    this.brokers = brokers;
    http = new HttpFront(brokers);
  }

  @Override
  Through through() {
    return http.through();
  }

  @Override
  void open(AuditContext opened) {
    audit = opened;
    http.open(opened);
  }

  @Override
  AuditClient newClient(Random random) {
    return http.newClient(random);
  }

  @Override
  PushClient newPushClient(Random random) {
    return new ClientProducer(audit, newQueenClient());
  }

  @Override
  Actor newConsumer(AuditContext where, int group, boolean copies, Random random) {
    return new HandlerConsumer(where, this, group, copies, random);
  }

  /** A client that asks another broker with each request. */
  QueenClient newQueenClient() {
    return QueenClient.builder()
        .urls(brokers.urls().stream().map(BrokerUrl::toString).toList())
        .routing(Routing.ROUND_ROBIN)
        .restAfterFailure(Duration.ofSeconds(1))
        .requestTimeout(audit.settings().behaviour().patience())
        .retry(new RetryPolicy(GIVE_UP, FIRST_PAUSE, LONGEST_PAUSE))
        .listener(
            new ClientListener() {
              @Override
              public void onAttempt(Attempt attempt) {
                requests.increment();
                if (attempt.number() > 1) {
                  again.increment();
                }
                if (attempt.status() == 0) {
                  unanswered.increment();
                }
              }

              @Override
              public void onConsumerError(String queue, String group, Throwable error) {
                consumerErrors.increment();
              }
            })
        .build();
  }

  /** A consumer is stopped, to be started again. */
  void restarted() {
    restarts.increment();
  }

  /** A handler was given a batch. */
  void handled() {
    batches.increment();
  }

  @Override
  Failure classify(Throwable failure) {
    if (failure instanceof UnavailableException) {
      return Failure.PROVOKED;
    }
    if (failure instanceof RejectedException || failure instanceof UnauthorizedException) {
      return Failure.UNEXPECTED;
    }
    return http.classify(failure);
  }

  @Override
  void settle() {
    http.settle();
  }

  @Override
  long left() {
    return http.left();
  }

  @Override
  List<List<AuditedMessage>> read() {
    return http.read();
  }

  @Override
  List<String> notes() {
    return List.of(
        note("batches given to handlers", batches),
        note("consumers stopped and started again", restarts),
        note("HTTP requests of the client", requests),
        note("of them sent again by the client itself", again),
        note("of them without an answer", unanswered),
        note("errors that consumers went on after", consumerErrors));
  }

  private static String note(String what, LongAdder count) {
    return String.format(Locale.ROOT, "%-64s %12d", what, count.sum());
  }
}
