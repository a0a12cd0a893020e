package dev.queenmq.server.http.admin;

import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.routing.AnswerWriter;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.memory.MemoryBudget.Reservation;
import dev.queenmq.server.memory.Purpose;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers operators' requests, and limits the cost of a request that is repeated often. Safe for
 * any event loop; one for all routes of a broker.
 *
 * <p>A question is a path with its query. Whether a caller may ask it is checked before, and its
 * answer is the same for all who may, so that it can be shared:
 *
 * <ul>
 *   <li>Requests that ask a question while it is being answered wait for that answer.
 *   <li>A question is answered afresh {@value #FRESH_PER_SECOND} times a second. A client that asks
 *       more often gets the last answer of that second. So a client that changes something and then
 *       looks sees what it did, and a flood of scrapes costs a few statements a second.
 * </ul>
 *
 * <p>Different questions are not shared; the bounded queue in front of the operators' connections
 * limits them. What is kept is bounded too: few answers, and only small ones. Failures are not
 * kept.
 *
 * <p>A page that may be open to callers without a token is one question, whatever the query: such a
 * caller could otherwise make a new question of each request, and take the places of all others.
 * Its last answer is kept whatever its size.
 *
 * <p>An answer counts in the memory budget until it is written, for each request that gets it.
 */
public final class SharedAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(SharedAnswers.class);
  static final int FRESH_PER_SECOND = 10;
  private static final long KEPT_NANOS = 1_000_000_000L;
  private static final int MOST_QUESTIONS = 128;
  private static final int LARGEST_KEPT = 128 << 10;
  private static final String JSON = "application/json";
  private static final CharSequence MORE = HttpHeaders.createOptimized("x-queen-more");
  private static final int NOT_FOUND = 404;

  /**
   * An answer that can be sent more than once.
   *
   * @param more whether it is a page of a list, and the list goes on
   */
  record Answer(int status, String contentType, Buffer body, boolean more) {
    Answer(int status, String contentType, Buffer body) {
      this(status, contentType, body, false);
    }
  }

  /** Guarded by the map that it is in. */
  private static final class Question {
    @Nullable Future<Answer> underWay;
    @Nullable Answer last;
    long second;
    int answered;
  }

  private final LongSupplier nanoTime;
  private final MemoryBudget memory;

  /** The one that was asked least recently is forgotten first, unless it is being answered. */
  private final Map<String, Question> questions = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Nothing asked yet.
   *
   * @param nanoTime as {@link System#nanoTime} counts
   * @param memory where answers are counted while they are written
   */
  public SharedAnswers(LongSupplier nanoTime, MemoryBudget memory) {
    this.nanoTime = nanoTime;
    this.memory = memory;
  }

  /** Gives no old answer any more: another server takes the writes. */
  public void forgetAll() {
    synchronized (questions) {
      questions.values().forEach(question -> question.last = null);
    }
  }

  /** Answers with an object. */
  void object(HttpServerRequest request, Supplier<Future<JsonObject>> question) {
    send(request, () -> question.get().map(body -> json(200, body.toBuffer())));
  }

  /** The same for a page that may be open, which has this one path. */
  void openObject(HttpServerRequest request, String path, Supplier<Future<JsonObject>> question) {
    send(request, path, true, () -> question.get().map(body -> json(200, body.toBuffer())));
  }

  /** Answers with an array. */
  void array(HttpServerRequest request, Supplier<Future<JsonArray>> question) {
    send(request, () -> question.get().map(body -> json(200, body.toBuffer())));
  }

  /**
   * Answers with a page of an array, which has no place for a hint: a header says that the list
   * goes on.
   *
   * @param question answers with one element more than the limit, if there is one
   */
  void page(HttpServerRequest request, int limit, Supplier<Future<JsonArray>> question) {
    send(
        request,
        () ->
            question
                .get()
                .map(
                    list -> {
                      boolean more = list.size() > limit;
                      if (more) {
                        list.remove(limit);
                      }
                      return new Answer(200, JSON, list.toBuffer(), more);
                    }));
  }

  /** Answers with an object, or with 404 if there is no such queue. */
  void queue(HttpServerRequest request, Supplier<Future<Optional<JsonObject>>> question) {
    send(
        request,
        () ->
            question
                .get()
                .map(
                    found ->
                        found
                            .map(body -> json(200, body.toBuffer()))
                            .orElseGet(() -> json(NOT_FOUND, ErrorBody.of("Queue not found")))));
  }

  /** Answers with a text of another kind, for a page that may be open, which has this one path. */
  void openText(
      HttpServerRequest request,
      String path,
      String contentType,
      Supplier<Future<Buffer>> question) {
    send(request, path, true, () -> question.get().map(body -> new Answer(200, contentType, body)));
  }

  private static Answer json(int status, Buffer body) {
    return new Answer(status, JSON, body);
  }

  private void send(HttpServerRequest request, Supplier<Future<Answer>> question) {
    send(request, String.valueOf(request.uri()), false, question);
  }

  private void send(
      HttpServerRequest request, String key, boolean open, Supplier<Future<Answer>> question) {
    @Nullable Context context = Vertx.currentContext();
    ask(key, open, question)
        .onComplete(
            done -> {
              // The first request may be on another event loop.
              if (context == null || context == Vertx.currentContext()) {
                end(request, done);
              } else {
                context.runOnContext(back -> end(request, done));
              }
            });
  }

  private void end(HttpServerRequest request, AsyncResult<Answer> done) {
    if (request.response().ended() || request.response().closed()) {
      return;
    }
    if (done.failed()) {
      JsonReply.failure(request, done.cause());
      return;
    }
    Answer answer = done.result();
    Reservation reservation = memory.open(Purpose.PAGES);
    // It is there already, so what bodies hold is no reason to refuse it. But clients that do not
    // read their answers must not add up any number of them.
    if (!reservation.forceWithinPart(answer.body.length())) {
      JsonReply.failure(request, HttpProblem.noMemoryToAnswer());
      return;
    }
    write(request, answer)
        .onComplete(written -> reservation.release())
        .onFailure(gone -> LOG.debug("{}: {}", request.path(), gone.getMessage()));
  }

  private static Future<Void> write(HttpServerRequest request, Answer answer) {
    if (answer.more) {
      request.response().putHeader(MORE, "true");
    }
    if (answer.contentType.equals(JSON)) {
      return JsonReply.end(request, answer.status, answer.body);
    }
    request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
    return AnswerWriter.end(request, answer.body);
  }

  /**
   * The answer to a question.
   *
   * @param open whether it is kept even if it is large
   */
  Future<Answer> ask(String key, boolean open, Supplier<Future<Answer>> supplier) {
    Promise<Answer> promise = Promise.promise();
    synchronized (questions) {
      Question question = questions.computeIfAbsent(key, unknown -> new Question());
      if (question.underWay != null) {
        return question.underWay;
      }
      long now = nanoTime.getAsLong();
      if (question.answered == 0 || now - question.second >= KEPT_NANOS) {
        question.second = now;
        question.answered = 0;
        question.last = null;
      }
      if (question.answered >= FRESH_PER_SECOND && question.last != null) {
        return Future.succeededFuture(question.last);
      }
      question.answered++;
      question.underWay = promise.future();
      forget();
    }
    answer(supplier)
        .onComplete(
            done -> {
              synchronized (questions) {
                @Nullable Question question = questions.get(key);
                if (question != null) {
                  question.underWay = null;
                  question.last =
                      done.succeeded() && (open || done.result().body.length() <= LARGEST_KEPT)
                          ? done.result()
                          : null;
                }
              }
              promise.handle(done);
            });
    return promise.future();
  }

  private static Future<Answer> answer(Supplier<Future<Answer>> supplier) {
    try {
      return supplier.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void forget() {
    var oldest = questions.values().iterator();
    while (questions.size() > MOST_QUESTIONS && oldest.hasNext()) {
      if (oldest.next().underWay == null) {
        oldest.remove();
      }
    }
  }
}
