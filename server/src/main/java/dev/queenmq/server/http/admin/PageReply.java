package dev.queenmq.server.http.admin;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.AnswerMemory.Room;
import dev.queenmq.server.memory.HeldMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.memory.Purpose;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers with pages that may be large: reserves memory first, asks for as much as fits, and holds
 * the memory until the client has read the page. Without memory the answer is 503. Safe for any
 * event loop.
 */
public final class PageReply {
  private static final Logger log = LoggerFactory.getLogger(PageReply.class);

  private final AnswerMemory memory;

  /** Draws on a budget. */
  public PageReply(MemoryBudget budget) {
    memory = new AnswerMemory(budget, Purpose.PAGES);
  }

  /**
   * Asks and answers.
   *
   * @param ask for a page of this many bytes
   * @param needed bytes of the first item, if it did not fit; otherwise 0
   * @param write the body
   */
  <T> void send(
      HttpServerRequest request,
      LongFunction<Future<T>> ask,
      ToLongFunction<T> needed,
      Function<T, Buffer> write) {
    send(request, ask, needed, page -> Optional.of(write.apply(page)), () -> {});
  }

  /**
   * The same for what may not be there.
   *
   * @param missing answers if there is no body
   */
  <T> void send(
      HttpServerRequest request,
      LongFunction<Future<T>> ask,
      ToLongFunction<T> needed,
      Function<T, Optional<Buffer>> write,
      Runnable missing) {
    Optional<Room> room = memory.page();
    if (room.isEmpty()) {
      throw HttpProblem.noMemoryToAnswer();
    }
    ask(ask, room.get())
        .onFailure(failure -> JsonReply.failure(request, failure))
        .onSuccess(
            page -> {
              long more = needed.applyAsLong(page);
              if (more == 0) {
                answer(request, room.get(), page, write, missing);
                return;
              }
              room.get().release();
              again(request, ask, more, write, missing);
            });
  }

  /** Where the next page begins, if this one ended before its limit because of its bytes. */
  static OptionalLong next(int items, long total, int limit, int offset) {
    long next = (long) offset + items;
    return items > 0 && items < limit && next < total
        ? OptionalLong.of(next)
        : OptionalLong.empty();
  }

  private <T> void again(
      HttpServerRequest request,
      LongFunction<Future<T>> ask,
      long bytes,
      Function<T, Optional<Buffer>> write,
      Runnable missing) {
    Optional<Room> room = memory.exact(bytes, bytes);
    if (room.isEmpty()) {
      JsonReply.failure(request, HttpProblem.noMemoryToAnswer());
      return;
    }
    ask(ask, room.get())
        .onFailure(failure -> JsonReply.failure(request, failure))
        .onSuccess(page -> answer(request, room.get(), page, write, missing));
  }

  private static <T> Future<T> ask(LongFunction<Future<T>> ask, Room room) {
    return ask.apply(room.bytes()).onFailure(failure -> room.release());
  }

  private static <T> void answer(
      HttpServerRequest request,
      Room room,
      T page,
      Function<T, Optional<Buffer>> write,
      Runnable missing) {
    try {
      Optional<Buffer> written = write.apply(page);
      if (written.isEmpty()) {
        room.release();
        missing.run();
        return;
      }
      Buffer body = written.get();
      HeldMemory held = room.keep(body.length());
      JsonReply.end(request, 200, body)
          .onComplete(
              done -> {
                held.release();
                if (done.failed()) {
                  log.debug("{}: {}", request.path(), done.cause().getMessage());
                }
              });
    } catch (RuntimeException e) {
      room.release();
      JsonReply.failure(request, e);
    }
  }
}
