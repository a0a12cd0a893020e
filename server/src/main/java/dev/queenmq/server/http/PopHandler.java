package dev.queenmq.server.http;

import dev.queenmq.server.sidecar.Broker;
import dev.queenmq.server.sidecar.BrokerException;
import dev.queenmq.server.sidecar.Poll;
import dev.queenmq.server.sidecar.PollRequest;
import dev.queenmq.server.sidecar.Polled;
import io.vertx.core.http.HttpServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers pops. What is leased for a client that is gone goes back at once; a passing fault looks
 * like an empty queue, because consumers give up for good when they see an error.
 */
final class PopHandler {
  private static final Logger log = LoggerFactory.getLogger(PopHandler.class);

  private final Broker broker;
  private final EmptyPop emptyPop;

  PopHandler(Broker broker, EmptyPop emptyPop) {
    this.broker = broker;
    this.emptyPop = emptyPop;
  }

  void handle(HttpServerRequest http, PollRequest request) {
    Poll poll = broker.pop(request);
    http.response().closeHandler(closed -> poll.cancel());
    poll.answer()
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

  private void empty(HttpServerRequest http, PollRequest request, Polled.Nothing why) {
    if (http.response().closed()) {
      return;
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
      empty(http, request, Polled.Nothing.TIMED_OUT);
    } else {
      JsonReply.failure(http, failure);
    }
  }
}
