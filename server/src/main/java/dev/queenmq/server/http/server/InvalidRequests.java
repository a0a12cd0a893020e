package dev.queenmq.server.http.server;

import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.routing.JsonReply;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Answers what is not HTTP, or too much of it, and ends the connection. */
final class InvalidRequests implements Handler<HttpServerRequest> {
  private static final int BAD_REQUEST = 400;
  private static final int LINE_TOO_LONG = 414;
  private static final int HEADERS_TOO_LARGE = 431;

  private final HttpLimits limits;
  private final Cors cors;

  InvalidRequests(HttpLimits limits, Cors cors) {
    this.limits = limits;
    this.cors = cors;
  }

  @Override
  public void handle(HttpServerRequest request) {
    CommonHeaders.apply(cors, request);
    end(request, problem(request));
  }

  /** Answers, and ends the connection. */
  static void end(HttpServerRequest request, HttpProblem problem) {
    // What follows cannot be told apart from the mistake.
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    JsonReply.end(request, problem.status(), ErrorBody.of(problem.text()))
        .onComplete(sent -> request.connection().close());
  }

  private HttpProblem problem(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      return new HttpProblem(
          LINE_TOO_LONG,
          "Request line is longer than the limit of " + limits.maxLineBytes() + " bytes");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new HttpProblem(
          HEADERS_TOO_LARGE,
          "Request headers are larger than the limit of " + limits.maxHeaderBytes() + " bytes");
    }
    return new HttpProblem(BAD_REQUEST, "The request is not valid HTTP");
  }
}
