package dev.queenmq.server.http.routing;

import dev.queenmq.server.admin.AdminException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Ends a request with what a question to the read models brought. */
public final class AdminReply {
  private AdminReply() {}

  public static void object(HttpServerRequest request, Future<JsonObject> answer) {
    answer
        .onSuccess(body -> JsonReply.send(request, 200, body))
        .onFailure(failure -> failed(request, failure));
  }

  static void array(HttpServerRequest request, Future<JsonArray> answer) {
    answer
        .onSuccess(body -> JsonReply.send(request, 200, body.toBuffer()))
        .onFailure(failure -> failed(request, failure));
  }

  /** Or with 404, if there is no such queue. */
  static void queue(HttpServerRequest request, Future<Optional<JsonObject>> answer) {
    answer
        .onSuccess(
            body -> {
              if (body.isPresent()) {
                JsonReply.send(request, 200, body.get());
              } else {
                JsonReply.error(request, 404, "Queue not found");
              }
            })
        .onFailure(failure -> failed(request, failure));
  }

  public static void failed(HttpServerRequest request, Throwable failure) {
    if (failure instanceof AdminException known) {
      boolean away = known.kind() == AdminException.Kind.UNAVAILABLE;
      JsonReply.error(request, away ? 503 : 500, String.valueOf(known.getMessage()));
    } else {
      JsonReply.failure(request, failure);
    }
  }
}
