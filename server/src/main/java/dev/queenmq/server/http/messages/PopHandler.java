package dev.queenmq.server.http.messages;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.server.ClientAddresses;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.http.server.PerAddressLimit;
import dev.queenmq.server.model.LeaseHolder;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers pops. What is leased for a client that has disconnected is returned at once. A transient
 * fault looks like an empty queue, because many consumers stop for good when they see an error.
 */
final class PopHandler {
  private static final Logger log = LoggerFactory.getLogger(PopHandler.class);
  private static final int TOO_MANY_REQUESTS = 429;

  /** A header, because an empty answer may have no body. */
  private static final CharSequence PAUSED = HttpHeaders.createOptimized("x-queen-paused");

  private static final CharSequence TRUE = HttpHeaders.createOptimized("true");

  private final Broker broker;
  private final String brokerName;
  private final EmptyPop emptyPop;
  private final ClientAddresses addresses;
  private final PerAddressLimit places;
  private final NamedPolls named = new NamedPolls();
  private final InstantSource clock;

  /**
   * In front of a broker.
   *
   * @param brokerName as the holders of leases show it
   * @param clock the time of day, of this machine
   */
  PopHandler(
      Broker broker, String brokerName, EmptyPop emptyPop, HttpLimits limits, InstantSource clock) {
    this.broker = broker;
    this.brokerName = brokerName;
    this.emptyPop = emptyPop;
    addresses = new ClientAddresses(limits.trustedProxies());
    places = new PerAddressLimit(limits.maxWaitingPerAddress());
    this.clock = clock;
  }

  /** Ends a poll that waits; says whether there was one. */
  boolean end(NamedPolls.Name name) {
    return named.end(name);
  }

  /**
   * Asks the broker, and answers.
   *
   * @param name by which its client may end it
   */
  void handle(
      HttpServerRequest http,
      PollRequest asked,
      Optional<NamedPolls.Name> name,
      RequestContext call) {
    String address = addresses.of(http);
    PollRequest request =
        untilTokenEnds(asked, call)
            .by(
                new LeaseHolder(
                    Optional.of(address), call.caller().subject(), Optional.of(brokerName)));
    if (request.patience().isZero()) {
      answer(http, request, call.through(broker).pop(request), () -> {});
      return;
    }
    if (!places.take(address)) {
      throw new HttpProblem(TOO_MANY_REQUESTS, "Too many polls of your address are waiting");
    }
    // The answer and the client's end may come in any order, and both may come.
    AtomicBoolean taken = new AtomicBoolean(true);
    Runnable leave =
        () -> {
          if (taken.getAndSet(false)) {
            places.giveBack(address);
          }
        };
    try {
      Poll poll = call.through(broker).pop(request);
      // First: the client may ask for it as soon as it has the answer.
      name.ifPresent(its -> named.add(its, poll));
      answer(http, request, poll, leave);
    } catch (RuntimeException e) {
      leave.run();
      throw e;
    }
  }

  /** A poll that still waits when its token ends finds nothing; the next one is refused. */
  private PollRequest untilTokenEnds(PollRequest asked, RequestContext call) {
    if (asked.patience().isZero() || call.caller().until().equals(Instant.MAX)) {
      return asked;
    }
    Duration left = Duration.between(clock.instant(), call.caller().until());
    return left.compareTo(asked.patience()) < 0
        ? asked.waiting(left.isNegative() ? Duration.ZERO : left)
        : asked;
  }

  private void answer(HttpServerRequest http, PollRequest request, Poll poll, Runnable over) {
    http.response()
        .closeHandler(
            closed -> {
              over.run();
              poll.cancel();
            });
    poll.answer()
        // Before the answer is written: the client may poll again as soon as it has it.
        .onComplete(done -> over.run())
        .onSuccess(polled -> answer(http, request, polled))
        .onFailure(failure -> fail(http, request, failure));
  }

  private void answer(HttpServerRequest http, PollRequest request, Polled polled) {
    if (polled.batches().isEmpty()) {
      empty(http, request, polled.nothing());
    } else {
      deliver(http, polled);
    }
  }

  private void deliver(HttpServerRequest http, Polled polled) {
    if (http.response().closed()) {
      broker.release(polled);
      return;
    }
    try {
      JsonReply.end(http, 200, PopCodec.messages(polled))
          .onSuccess(written -> polled.memory().release())
          .onFailure(
              gone -> {
                log.debug("{} {}: {}", http.method(), http.path(), gone.getMessage());
                broker.release(polled);
              });
    } catch (RuntimeException e) {
      broker.release(polled);
      JsonReply.failure(http, e);
    }
  }

  private void empty(HttpServerRequest http, PollRequest request, Polled.EmptyReason why) {
    if (http.response().closed()) {
      return;
    }
    if (why == Polled.EmptyReason.PAUSED) {
      http.response().putHeader(PAUSED, TRUE);
    }
    if (emptyPop == EmptyPop.NO_CONTENT) {
      JsonReply.noContent(http);
    } else {
      JsonReply.send(http, 200, PopCodec.nothing(request, why));
    }
  }

  private void fail(HttpServerRequest http, PollRequest request, Throwable failure) {
    if (failure instanceof BrokerException refusal
        && refusal.kind() == BrokerException.Kind.UNAVAILABLE) {
      log.debug("{} {}: {}", http.method(), http.path(), failure.getMessage());
      empty(http, request, Polled.EmptyReason.TIMED_OUT);
    } else {
      JsonReply.failure(http, failure);
    }
  }
}
