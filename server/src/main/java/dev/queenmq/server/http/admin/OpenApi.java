package dev.queenmq.server.http.admin;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The description of all routes, for people and for programs that make clients.
 *
 * <p>What it says is written by hand, in {@code openapi.json}. What it lists are the routes that
 * exist: a route without a description is listed bare, and a description without a route is left
 * out.
 */
public final class OpenApi {
  private static final String PATH = "/api/v1/openapi.json";

  /** Marks routes without a description. */
  static final String UNDESCRIBED = "x-undescribed";

  private final Vertx vertx;
  private final List<Route> routes;
  private final String version;
  private @Nullable Future<Buffer> text;

  private OpenApi(Vertx vertx, List<Route> routes, String version) {
    this.vertx = vertx;
    this.routes = routes;
    this.version = version;
  }

  /** The route that answers with the description of these routes and of itself. */
  public static Route route(Vertx vertx, List<Route> routes, String version) {
    List<Route> all = new ArrayList<>(routes);
    all.add(Route.read(PATH, Access.OPEN, QueueScope.ALL, (request, path) -> {}));
    OpenApi description = new OpenApi(vertx, all, version);
    return Route.read(
        PATH, Access.OPEN, QueueScope.ALL, (request, path) -> description.answer(request));
  }

  private void answer(HttpServerRequest request) {
    text()
        .onSuccess(read -> JsonReply.send(request, 200, read))
        .onFailure(why -> JsonReply.error(request, 500, "Internal error"));
  }

  /** Made when it is asked for: most brokers never are, and it would take part of each start. */
  private synchronized Future<Buffer> text() {
    if (text == null) {
      text = vertx.executeBlocking(() -> describe(written(), routes, version).toBuffer(), false);
    }
    return text;
  }

  private static JsonObject written() {
    try (@Nullable InputStream file = OpenApi.class.getResourceAsStream("/openapi.json")) {
      if (file == null) {
        throw new IllegalStateException("openapi.json is not on the class path");
      }
      return new JsonObject(Buffer.buffer(file.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject describe(JsonObject written, List<Route> routes, String version) {
    JsonObject described = written.getJsonObject("paths");
    JsonObject paths = new JsonObject();
    for (Route route : routes) {
      String path = template(route.template());
      for (HttpMethod method : route.methods()) {
        if (!method.equals(HttpMethod.HEAD)) {
          String name = method.name().toLowerCase(Locale.ROOT);
          JsonObject operation =
              described
                  .getJsonObject(path, new JsonObject())
                  .getJsonObject(name, new JsonObject().put(UNDESCRIBED, true));
          paths.put(path, paths.getJsonObject(path, new JsonObject()).put(name, operation));
        }
      }
    }
    written.getJsonObject("info").put("version", version);
    return written.put("paths", paths);
  }

  /** A parameter of a path is {@code :name} in our routes and {@code {name}} in the description. */
  private static String template(String path) {
    return path.replaceAll(":([A-Za-z]+)", "{$1}");
  }
}
