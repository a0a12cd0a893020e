package dev.queenmq.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests that have a body: takes it in, then works on it. */
final class Uploads {
  private static final Logger log = LoggerFactory.getLogger(Uploads.class);

  private final long maxBytes;

  Uploads(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void handle(HttpServerRequest request, Consumer<Body> work) {
    BodyReader.read(request, maxBytes)
        .onSuccess(
            body -> {
              try {
                work.accept(body);
              } catch (RuntimeException e) {
                JsonReply.failure(request, e);
              }
            })
        .onFailure(failure -> refuse(request, failure));
  }

  /** The rest of the body is of no use, but closing at once would cost the client the answer. */
  private static void refuse(HttpServerRequest request, Throwable failure) {
    if (!(failure instanceof HttpProblem problem)) {
      log.debug("{} {}: {}", request.method(), request.path(), failure.getMessage());
      return;
    }
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    JsonReply.end(request, problem.status(), ErrorBody.of(problem.text()))
        .onComplete(sent -> closeAfter(request));
  }

  private static void closeAfter(HttpServerRequest request) {
    if (request.isEnded()) {
      request.connection().close();
    } else {
      request.end().onComplete(ended -> request.connection().close());
    }
  }
}
