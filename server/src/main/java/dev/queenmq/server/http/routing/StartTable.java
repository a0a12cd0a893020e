package dev.queenmq.server.http.routing;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers while the broker has never reached PostgreSQL: pushes are accepted, pops wait, and all
 * other requests are answered 503. Safe for any event loop.
 */
public final class StartTable implements Handler<HttpServerRequest> {
  private static final String WAITING =
      "The broker has not reached PostgreSQL yet; only pushes are taken. Try again";

  private final RouteTable table;

  /**
   * Over the routes of clients.
   *
   * @param health reports that PostgreSQL is not there
   * @param guard of these routes
   */
  public StartTable(List<Route> clients, List<Route> health, Guard guard) {
    List<Route> routes = new ArrayList<>(health);
    clients.stream().filter(route -> isServed(route.template())).forEach(routes::add);
    table = new RouteTable(routes, guard);
  }

  @Override
  public void handle(HttpServerRequest request) {
    String path = Optional.ofNullable(request.path()).orElse("/");
    if (isServed(path) || path.startsWith("/health")) {
      table.handle(request);
    } else {
      JsonReply.error(request, 503, WAITING);
    }
  }

  private static boolean isServed(String path) {
    return path.equals("/api/v1/push")
        || path.equals("/api/v1/pop")
        || path.startsWith("/api/v1/pop/");
  }
}
