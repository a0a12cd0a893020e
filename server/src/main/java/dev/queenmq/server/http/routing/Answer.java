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
 * @param memory that the body takes; released once it is written, or not sent
 */
public record Answer(int status, Buffer body, HeldMemory memory) {

  /** A small one, whose memory is not counted. */
  public Answer(int status, Buffer body) {
    this(status, body, HeldMemory.NONE);
  }

  /** A small one, whose memory is not counted. */
  public Answer(int status, JsonObject body) {
    this(status, body.toBuffer());
  }

  /** The request cannot be carried out as it stands. */
  public static Answer rejected(Problem problem) {
    return new Answer(400, ErrorBody.of(problem.text()));
  }

  /** Ends a request with the result of the work; sends nothing to a client that has gone. */
  public static Future<Answer> reply(HttpServerRequest request, Future<Answer> answer) {
    return answer
        .onSuccess(done -> done.send(request))
        .onFailure(failure -> JsonReply.failure(request, failure));
  }

  private void send(HttpServerRequest request) {
    if (request.response().closed()) {
      memory.release();
    } else {
      JsonReply.end(request, status, body).onComplete(written -> memory.release());
    }
  }
}
