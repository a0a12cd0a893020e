package dev.queenmq.server.http.server;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.routing.JsonReply;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks that all requests pass before they are routed. */
final class RequestChecks implements Handler<HttpServerRequest> {
  private static final Logger log = LoggerFactory.getLogger(RequestChecks.class);
  private static final int BAD_REQUEST = 400;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Cors cors;
  private final CrossOriginCheck pages;
  private final RequestRates rates;
  private final Handler<HttpServerRequest> inside;

  RequestChecks(
      Cors cors, CrossOriginCheck pages, RequestRates rates, Handler<HttpServerRequest> inside) {
    this.cors = cors;
    this.pages = pages;
    this.rates = rates;
    this.inside = inside;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (request.response().writeQueueFull()) {
      hold(request);
    } else {
      enter(request);
    }
  }

  /**
   * Waits until earlier answers have been read. A client that pipelines requests without reading
   * would make the broker hold all the answers.
   */
  private void hold(HttpServerRequest request) {
    request.pause();
    request.exceptionHandler(gone -> log.debug("while held: {}", gone.getMessage()));
    request
        .response()
        .drainHandler(
            drained -> {
              request.response().drainHandler(null);
              request.resume();
              enter(request);
            });
  }

  private void enter(HttpServerRequest request) {
    Optional<String> fault = HeadCheck.fault(request);
    if (fault.isPresent()) {
      CommonHeaders.apply(cors, request);
      InvalidRequests.end(request, new HttpProblem(BAD_REQUEST, fault.get()));
      return;
    }
    Optional<HttpProblem> refusal = pages.refusal(request);
    if (refusal.isPresent()) {
      // Without the headers that would let the page read why.
      CommonHeaders.applyWithoutCors(request);
      JsonReply.error(request, refusal.get().status(), refusal.get().text());
      return;
    }
    CommonHeaders.apply(cors, request);
    if (!rates.admit(request)) {
      JsonReply.error(request, TOO_MANY_REQUESTS, "Too many requests; try again");
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      JsonReply.noContent(request);
    } else {
      inside.handle(request);
    }
  }
}
