package dev.queenmq.server.http.admin;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** What the broker knows of the others, and the older way to notify it of messages. */
public final class SharedStateRoutes {
  private static final KnownNames FIELDS = KnownNames.fields("queue", "partition");
  private final Supplier<JsonObject> statistics;
  private final BiConsumer<String, String> notice;
  private final BodyHandler bodies;
  private final JsonFactory factory;

  /**
   * Over a cluster.
   *
   * @param notice takes a queue and a partition, or an empty text for any
   */
  public SharedStateRoutes(
      Supplier<JsonObject> statistics,
      BiConsumer<String, String> notice,
      HttpLimits limits,
      BodyHandler bodies) {
    this.statistics = statistics;
    this.notice = notice;
    this.factory = JsonInput.factory(limits.maxDepth());
    this.bodies = bodies;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/system/shared-state",
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> show(request)),
        Route.read(
            "/internal/api/shared-state/stats",
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> show(request)),
        Route.read(
            "/internal/api/inter-instance/stats",
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> show(request)),
        Route.calling(
            HttpMethod.POST,
            "/internal/api/notify",
            Access.ADMIN,
            QueueScope.HANDLER,
            (request, path, call) -> bodies.handle(request, body -> take(request, body, call))));
  }

  private void show(HttpServerRequest request) {
    JsonReply.send(request, 200, statistics.get());
  }

  private void take(HttpServerRequest request, Body body, RequestContext call) {
    Notice said = JsonInput.read(factory, body, SharedStateRoutes::read);
    if (said.queue.isEmpty()) {
      throw HttpProblem.badRequest("queue is required");
    }
    call.note("queue", said.queue);
    call.requireQueue(said.queue);
    notice.accept(said.queue, said.partition);
    JsonReply.send(request, 200, new JsonObject().put("status", "ok"));
  }

  private static Notice read(JsonInput in) throws IOException {
    Notice said = new Notice();
    if (!in.isObject()) {
      throw HttpProblem.badRequest("The body must be an object");
    }
    in.fields(
        (value, name) -> {
          switch (name) {
            case "queue" -> said.queue = text(value, name);
            case "partition" -> said.partition = text(value, name);
            default -> FIELDS.skip(value, name);
          }
        });
    return said;
  }

  private static String text(JsonInput value, String name) throws IOException {
    if (value.isNull()) {
      value.skip();
      return "";
    }
    String text = value.scalar();
    if (text == null) {
      throw HttpProblem.badRequest(name + " must be a text");
    }
    return text;
  }

  private static final class Notice {
    String queue = "";
    String partition = "";
  }
}
