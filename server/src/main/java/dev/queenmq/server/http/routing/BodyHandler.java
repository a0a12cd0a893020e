package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.memory.HeldMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.memory.MemoryBudget.Reservation;
import dev.queenmq.server.memory.Purpose;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that have a body: takes it in, as far as there is memory, then works on it. Safe for any
 * event loop.
 */
public final class BodyHandler {
  private static final Logger log = LoggerFactory.getLogger(BodyHandler.class);

  /** The largest body that draws on the memory kept for small ones, in bytes. */
  private static final int SMALL_BODY = 64 << 10;

  /**
   * Bytes of heap for each byte of a body. While its parts are joined it is there twice. Then there
   * are the body and the text of its payloads, which takes two bytes for each of the body where one
   * character is beyond Latin-1.
   */
  private static final int HEAP_FOR_BODY = 3;

  /** A body that is too long is read this far, so that the client gets to read the answer. */
  private static final long LEAST_DISCARDED = 4L << 20;

  /** Enough for whatever names things and sets options. */
  private static final long FEW_BYTES = 1L << 20;

  /** Enough for the acknowledgements of the largest batches. */
  private static final long SOME_BYTES = 16L << 20;

  private final MemoryBudget memory;
  private final BodyReader.Limits limits;
  private final BodyReader.Limits some;
  private final BodyReader.Limits few;

  /**
   * For all routes of a broker.
   *
   * @param maxBytes longest body, as far as the memory allows it
   */
  public BodyHandler(long maxBytes, MemoryBudget memory) {
    this.memory = memory;
    limits = limits(maxBytes, maxBytes);
    some = limits(Math.min(SOME_BYTES, maxBytes), maxBytes);
    few = limits(Math.min(FEW_BYTES, maxBytes), maxBytes);
  }

  private BodyReader.Limits limits(long bytes, long maxBytes) {
    long fits = memory.largest() / HEAP_FOR_BODY;
    return new BodyReader.Limits(
        Math.min(bytes, fits),
        fits < bytes,
        Math.max(LEAST_DISCARDED, maxBytes),
        length -> length * HEAP_FOR_BODY);
  }

  /** How long the body of a route may become. */
  public enum Size {
    /** It carries messages. */
    MANY,
    /** It carries what is said about many messages. */
    SOME,
    /** It says what to do. */
    FEW
  }

  private BodyReader.Limits limits(Size size) {
    return switch (size) {
      case MANY -> limits;
      case SOME -> some;
      case FEW -> few;
    };
  }

  /** A budget of this many bytes of heap for the bodies of all connections. */
  public static MemoryBudget budget(long heapBytes) {
    return new MemoryBudget(heapBytes, (long) SMALL_BODY * HEAP_FOR_BODY);
  }

  /**
   * For a small body, and work that keeps little of it: its memory is free as soon as the work
   * returns.
   */
  public void handle(HttpServerRequest request, Consumer<Body> work) {
    handleUntilDone(
        request,
        Size.FEW,
        body -> {
          work.accept(body);
          return Future.succeededFuture();
        });
  }

  /** For work that keeps the body, or texts of it, until the future that it returns is complete. */
  public void handleUntilDone(
      HttpServerRequest request, Size size, Function<Body, Future<?>> work) {
    handle(request, size, (body, reservation) -> work.apply(body));
  }

  /**
   * For an operation that keeps the body until it is done. The memory is held until the answer is
   * written. Clients that do not read their answers are refused further bodies that way, before
   * their answers take all memory.
   */
  public void answer(
      HttpServerRequest request, Size size, Function<Body, Future<Answer>> operation) {
    handle(
        request,
        size,
        (body, reservation) ->
            Answer.reply(
                request,
                operation
                    .apply(body)
                    .map(
                        answer -> {
                          if (answer.memory() == HeldMemory.NONE) {
                            // It is there already, whether there is room or not.
                            reservation.force(answer.body().length());
                          }
                          return answer;
                        })));
  }

  private void handle(
      HttpServerRequest request, Size size, BiFunction<Body, Reservation, Future<?>> work) {
    Reservation reservation = memory.open(Purpose.BODIES);
    BodyReader.read(request, limits(size), reservation)
        .onSuccess(body -> work(request, body, work, reservation))
        .onFailure(
            failure -> {
              reservation.release();
              refuse(request, failure);
            });
  }

  /** A POST whose operation keeps the body until it is done, and checks the queues itself. */
  public Route post(
      String template,
      Size size,
      Access access,
      BiFunction<Body, RequestContext, Future<Answer>> operation) {
    return Route.calling(
        HttpMethod.POST,
        template,
        access,
        QueueScope.HANDLER,
        (request, path, call) -> answer(request, size, body -> operation.apply(body, call)));
  }

  private static void work(
      HttpServerRequest request,
      Body body,
      BiFunction<Body, Reservation, Future<?>> work,
      Reservation reservation) {
    try {
      work.apply(body, reservation).onComplete(done -> reservation.release());
    } catch (RuntimeException e) {
      reservation.release();
      JsonReply.failure(request, e);
    } catch (Throwable t) {
      // For instance no memory to parse it. The client must not wait for an answer for ever.
      reservation.release();
      log.error("{} {} failed", request.method(), request.path(), t);
      request.connection().close();
    }
  }

  /** The rest of the body is of no use, but closing at once would cost the client the answer. */
  private static void refuse(HttpServerRequest request, Throwable failure) {
    if (!(failure instanceof HttpProblem problem)) {
      if (failure instanceof Error) {
        log.error("{} {} failed while its body arrived", request.method(), request.path(), failure);
      } else {
        log.debug("{} {}: {}", request.method(), request.path(), failure.getMessage());
      }
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
