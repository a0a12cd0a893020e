package dev.queenmq.server.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the body of one request, up to a limit. Owned by the request's event loop. */
final class BodyReader implements Handler<Buffer> {
  private static final long MOST_DISCARDED = 4L << 20;

  private final HttpServerRequest request;
  private final long limit;
  private final Promise<Body> body = Promise.promise();
  private byte[] bytes = new byte[0];
  private int length;
  private boolean refused;
  private long discarded;

  private BodyReader(HttpServerRequest request, long limit) {
    this.request = request;
    this.limit = limit;
  }

  /**
   * The body. Fails with a {@link HttpProblem} if it is too long, and otherwise only when the
   * client is gone.
   */
  static Future<Body> read(HttpServerRequest request, long limit) {
    BodyReader reader = new BodyReader(request, limit);
    request.exceptionHandler(reader.body::tryFail);
    request.handler(reader);
    request.endHandler(end -> reader.body.tryComplete(new Body(reader.bytes, reader.length)));
    if (announced(request) > limit) {
      reader.refuse();
    } else if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue().onFailure(reader.body::tryFail);
    }
    return reader.body.future();
  }

  @Override
  public void handle(Buffer chunk) {
    if (refused) {
      discard(chunk);
      return;
    }
    if ((long) length + chunk.length() > limit) {
      refuse();
      return;
    }
    if (length == 0) {
      bytes = chunk.getBytes();
    } else {
      if (length + chunk.length() > bytes.length) {
        // By what has arrived, not by what was announced: announcing is free.
        long roomy = Math.min(limit, Math.max(2L * bytes.length, (long) length + chunk.length()));
        bytes = Arrays.copyOf(bytes, (int) roomy);
      }
      chunk.getBytes(bytes, length);
    }
    length += chunk.length();
  }

  /** Lets a client finish that is nearly done and then reads its answer, but no other. */
  private void discard(Buffer chunk) {
    discarded += chunk.length();
    if (discarded > MOST_DISCARDED) {
      request.connection().close();
    }
  }

  private void refuse() {
    refused = true;
    bytes = new byte[0];
    length = 0;
    body.tryFail(HttpProblem.tooLarge(limit));
  }

  private static long announced(HttpServerRequest request) {
    @Nullable String header = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return header == null ? 0 : Long.parseLong(header.trim());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
