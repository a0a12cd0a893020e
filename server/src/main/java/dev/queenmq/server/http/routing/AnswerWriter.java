package dev.queenmq.server.http.routing;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Writes a large answer piece by piece, as fast as the client reads. A second copy of all of it in
 * the buffers of the socket is not needed then, and the {@code ConnectionWatch} sees how fast the
 * client reads. Owned by the request's event loop.
 */
public final class AnswerWriter {
  private static final int PIECE = 64 << 10;

  private final HttpServerResponse response;
  private final Buffer body;
  private final Promise<Void> written = Promise.promise();
  private int at;

  private AnswerWriter(HttpServerResponse response, Buffer body) {
    this.response = response;
    this.body = body;
  }

  /** Ends an answer; the future is complete once the socket has taken all of it. */
  public static Future<Void> end(HttpServerRequest request, Buffer body) {
    HttpServerResponse response = request.response();
    if (body.length() <= 2 * PIECE || request.method().equals(HttpMethod.HEAD)) {
      return response.end(body);
    }
    response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length()));
    AnswerWriter writer = new AnswerWriter(response, body);
    writer.write();
    return writer.written.future();
  }

  private void write() {
    while (at < body.length() - PIECE) {
      Buffer piece = body.slice(at, at + PIECE);
      at += PIECE;
      // A connection that ends fails the writes that it still has; the handler is not called then.
      response.write(piece).onFailure(written::tryFail);
      if (response.writeQueueFull()) {
        response.drainHandler(drained -> write());
        return;
      }
    }
    if (at < body.length()) {
      Buffer last = body.slice(at, body.length());
      at = body.length();
      response.end(last).onSuccess(written::tryComplete).onFailure(written::tryFail);
    }
  }
}
