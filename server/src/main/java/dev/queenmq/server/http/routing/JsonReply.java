package dev.queenmq.server.http.routing;

import dev.queenmq.server.admin.AdminException;
import dev.queenmq.server.auth.AuthException;
import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.http.json.HttpProblem;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a request with a JSON body. */
public final class JsonReply {

  private static final Logger log = LoggerFactory.getLogger(JsonReply.class);
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
  private static final CharSequence ONE_SECOND = HttpHeaders.createOptimized("1");

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private JsonReply() {}

  /** Sends a small body. */
  public static void send(HttpServerRequest request, int status, JsonObject body) {
    send(request, status, body.toBuffer());
  }

  /** Sends an object once it is there, or the failure. */
  public static void object(HttpServerRequest request, Future<JsonObject> answer) {
    answer
        .onSuccess(body -> send(request, 200, body))
        .onFailure(failure -> failure(request, failure));
  }

  /** Sends the text of a body. If the client has gone, this is logged at debug level only. */
  public static void send(HttpServerRequest request, int status, Buffer body) {
    end(request, status, body)
        .onFailure(
            gone -> log.debug("{} {}: {}", request.method(), request.path(), gone.getMessage()));
  }

  /** Sends the text of a body; the future completes when it was written. */
  public static Future<Void> end(HttpServerRequest request, int status, Buffer body) {
    if (status == UNAVAILABLE || status == TOO_MANY_REQUESTS) {
      request.response().putHeader(RETRY_AFTER, ONE_SECOND);
    }
    request.response().setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON);
    return AnswerWriter.end(request, body);
  }

  public static void noContent(HttpServerRequest request) {
    request
        .response()
        .setStatusCode(204)
        .end()
        .onFailure(
            gone -> log.debug("{} {}: {}", request.method(), request.path(), gone.getMessage()));
  }

  /** All clients print {@code error}, so it is always a text. */
  public static void error(HttpServerRequest request, int status, String error) {
    send(request, status, ErrorBody.of(error));
  }

  /** Answers a failure, with details only where the client may see them. */
  public static void failure(HttpServerRequest request, Throwable failure) {
    if (request.response().ended() || request.response().closed()) {
      log.debug("{} {}: too late for {}", request.method(), request.path(), failure.toString());
    } else if (failure instanceof AuthException refusal) {
      AuthErrors.answer(request, refusal);
    } else if (failure instanceof HttpProblem problem) {
      error(request, problem.status(), problem.text());
    } else if (failure instanceof AdminException unanswered) {
      int status =
          switch (unanswered.kind()) {
            case UNAVAILABLE -> UNAVAILABLE;
            case TOO_LARGE -> 400;
            case INTERNAL -> 500;
          };
      error(request, status, String.valueOf(unanswered.getMessage()));
    } else if (failure instanceof BrokerException refusal
        && refusal.kind() != BrokerException.Kind.INTERNAL) {
      error(request, UNAVAILABLE, String.valueOf(refusal.getMessage()));
    } else {
      log.error("{} {} failed", request.method(), request.path(), failure);
      error(request, 500, "Internal error");
    }
  }
}
