package dev.queenmq.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is the same for all requests, before anybody looks at what they want. */
final class Entrance implements Handler<HttpServerRequest> {
  private static final Logger log = LoggerFactory.getLogger(Entrance.class);
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");
  private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");
  private static final int BAD_REQUEST = 400;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Cors cors;
  private final PageCheck pages;
  private final RequestRates rates;
  private final Handler<HttpServerRequest> inside;

  Entrance(Cors cors, PageCheck pages, RequestRates rates, Handler<HttpServerRequest> inside) {
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
   * Waits until earlier answers have been read. Who asks on and on without reading would have us
   * keep all the answers.
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
      greet(cors, request);
      InvalidRequests.end(request, new HttpProblem(BAD_REQUEST, fault.get()));
      return;
    }
    Optional<HttpProblem> refusal = pages.refusal(request);
    if (refusal.isPresent()) {
      // Without the headers that would let the page read why.
      request.response().putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
      JsonReply.error(request, refusal.get().status(), refusal.get().text());
      return;
    }
    greet(cors, request);
    if (!rates.admit(request)) {
      JsonReply.error(request, TOO_MANY_REQUESTS, "Too many requests; try again");
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      JsonReply.noContent(request);
    } else {
      inside.handle(request);
    }
  }

  /** The headers that every answer has. */
  static void greet(Cors cors, HttpServerRequest request) {
    cors.allow(request);
    // Payloads come from strangers: no browser is to take them for a page.
    request.response().putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
  }
}
