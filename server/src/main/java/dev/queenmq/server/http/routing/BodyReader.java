package dev.queenmq.server.http.routing;

import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.memory.MemoryBudget.Reservation;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of one request: all of it or nothing. Owned by the request's event loop.
 *
 * <p>An error while a part is taken in, for instance a lack of memory, ends the request and its
 * connection. A part that is missing can therefore not go unnoticed.
 */
public final class BodyReader implements Handler<Buffer> {
  private static final long NOT_ANNOUNCED = -1;

  private final HttpServerRequest request;
  private final Limits limits;
  private final Reservation memory;
  private final Promise<Body> body = Promise.promise();
  private final long announced;
  private BodyParts parts;
  private boolean over;
  private long discarded;

  /**
   * How much a body may take.
   *
   * @param bytes longest body
   * @param byMemory whether that follows from the memory of the broker
   * @param discarded most bytes that are read of a body that was refused
   * @param cost memory that a body of a number of bytes takes
   */
  public record Limits(long bytes, boolean byMemory, long discarded, LongUnaryOperator cost) {}

  private BodyReader(HttpServerRequest request, Limits limits, Reservation memory) {
    this.request = request;
    this.limits = limits;
    this.memory = memory;
    announced = announced(request);
    parts = new BodyParts(announced);
  }

  /**
   * The body. Fails with a {@link HttpProblem} if it is too long or finds no memory, and otherwise
   * only when the connection is gone or about to be closed.
   *
   * @param memory grows with the body; released by the caller
   */
  public static Future<Body> read(HttpServerRequest request, Limits limits, Reservation memory) {
    BodyReader reader = new BodyReader(request, limits, memory);
    request.exceptionHandler(reader::gone);
    request.handler(reader);
    request.endHandler(end -> reader.end());
    if (reader.announced > limits.bytes) {
      reader.refuse(HttpProblem.tooLarge(limits.bytes, limits.byMemory));
    } else if (reader.announced > 0 && !reader.reserve(reader.announced)) {
      reader.refuse(HttpProblem.noMemory());
    } else if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue().onFailure(reader.body::tryFail);
    }
    return reader.body.future();
  }

  @Override
  public void handle(Buffer chunk) {
    if (over) {
      discard(chunk);
      return;
    }
    try {
      long length = parts.length() + chunk.length();
      if (length > limits.bytes) {
        refuse(HttpProblem.tooLarge(limits.bytes, limits.byMemory));
      } else if (length > announced && !reserve(length)) {
        refuse(HttpProblem.noMemory());
      } else {
        parts.add(chunk);
      }
    } catch (Throwable t) {
      fail(t);
    }
  }

  private boolean reserve(long length) {
    return memory.growTo(limits.cost.applyAsLong(length));
  }

  private void end() {
    if (over) {
      return;
    }
    try {
      // Two counts that are kept elsewhere: what the client said, and what came over the line.
      long expected = announced == NOT_ANNOUNCED ? request.bytesRead() : announced;
      if (parts.length() != expected || parts.length() != request.bytesRead()) {
        throw new IllegalStateException(
            "%d of %d bytes of a body were taken, %d were read"
                .formatted(parts.length(), expected, request.bytesRead()));
      }
      Body whole = parts.join();
      over = true;
      parts = new BodyParts(0);
      body.tryComplete(whole);
    } catch (Throwable t) {
      fail(t);
    }
  }

  private void gone(Throwable why) {
    drop();
    body.tryFail(why);
  }

  /** Whatever it was, no byte of this connection can be relied on any more. */
  private void fail(Throwable why) {
    drop();
    request.connection().close();
    body.tryFail(why);
  }

  private void refuse(HttpProblem problem) {
    drop();
    body.tryFail(problem);
  }

  private void drop() {
    over = true;
    parts = new BodyParts(0);
  }

  /** Lets a client that sends its whole body first read the answer afterwards. */
  private void discard(Buffer chunk) {
    discarded += chunk.length();
    if (discarded > limits.discarded) {
      request.connection().close();
    }
  }

  private static long announced(HttpServerRequest request) {
    @Nullable String header = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return header == null ? NOT_ANNOUNCED : Long.parseLong(header.trim());
    } catch (NumberFormatException e) {
      return NOT_ANNOUNCED;
    }
  }
}
