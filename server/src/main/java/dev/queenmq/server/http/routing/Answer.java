package dev.queenmq.server.http.routing;

import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.memory.HeldMemory;
import dev.queenmq.server.model.Problem;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/**
 * A status and a JSON body, to be sent once the work is done.
 *
 * @param memory that the body takes, if it was counted when it was made; released once it is
 *     written, or not sent
 */
public record Answer(int status, Buffer body, HeldMemory memory) {

  /** One that is small, or as long as its request, whose memory then counts for it. */
  public Answer(int status, Buffer body) {
    this(status, body, HeldMemory.NONE);
  }

  /** One that is small, or as long as its request, whose memory then counts for it. */
  public Answer(int status, JsonObject body) {
    this(status, body.toBuffer());
  }

  /** The request cannot be carried out as it stands. */
  public static Answer rejected(Problem problem) {
    return new Answer(400, ErrorBody.of(problem.text()));
  }

  /**
   * Ends a request with the result of the work; sends nothing to a client that has gone.
   *
   * @return complete once the answer takes no memory any more: the socket has taken it, or the
   *     client has gone; never a failure
   */
  public static Future<Void> reply(HttpServerRequest request, Future<Answer> answer) {
    return answer.transform(
        done -> {
          if (done.succeeded()) {
            return done.result().send(request);
          }
          JsonReply.failure(request, done.cause());
          return Future.succeededFuture();
        });
  }

  private Future<Void> send(HttpServerRequest request) {
    if (request.response().closed()) {
      memory.release();
      return Future.succeededFuture();
    }
    return JsonReply.end(request, status, body)
        .onComplete(written -> memory.release())
        .otherwiseEmpty();
  }
}
