package dev.queenmq.server.http.admin;

import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.model.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** A status and a body, to be sent once the work is done. */
record JsonAnswer(int status, JsonObject body) {

  /** The request cannot be carried out as it stands. */
  static JsonAnswer rejected(Problem problem) {
    return new JsonAnswer(400, new JsonObject().put("error", problem.text()));
  }

  /** Ends a request with what becomes of the work; sends nothing to a client that is gone. */
  static void reply(HttpServerRequest request, Future<JsonAnswer> answer) {
    answer
        .onSuccess(
            done -> {
              if (!request.response().closed()) {
                JsonReply.send(request, done.status(), done.body());
              }
            })
        .onFailure(failure -> JsonReply.failure(request, failure));
  }
}
