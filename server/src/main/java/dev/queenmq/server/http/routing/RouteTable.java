package dev.queenmq.server.http.routing;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the route of each request; answers those that have none. Safe for any event loop. */
public final class RouteTable implements Handler<HttpServerRequest> {

  private record Entry(PathTemplate template, Route route) {}

  private final Guard guard;
  private final List<List<Entry>> byLength = new ArrayList<>();

  /** A table without authentication, for tests. */
  public RouteTable(List<Route> routes) {
    this(routes, Guard.open());
  }

  /** A table of routes; if two routes match a request, the first is used. */
  public RouteTable(List<Route> routes, Guard guard) {
    this.guard = guard;
    for (Route route : routes) {
      PathTemplate template = new PathTemplate(route.template());
      while (byLength.size() <= template.length()) {
        byLength.add(new ArrayList<>());
      }
      byLength.get(template.length()).add(new Entry(template, route));
    }
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      route(request);
    } catch (RuntimeException e) {
      JsonReply.failure(request, e);
    }
  }

  private void route(HttpServerRequest request) {
    List<String> path = PathTemplate.split(Optional.ofNullable(request.path()).orElse("/"));
    List<Entry> candidates = path.size() < byLength.size() ? byLength.get(path.size()) : List.of();
    boolean known = false;
    for (Entry entry : candidates) {
      if (entry.template().matches(path)) {
        if (entry.route().methods().contains(request.method())) {
          guard.admit(request, entry.route(), entry.template().parameters(path));
          return;
        }
        known = true;
      }
    }
    if (known) {
      request.response().putHeader(HttpHeaders.ALLOW, allowed(candidates, path));
      JsonReply.error(request, 405, "Method Not Allowed");
    } else {
      JsonReply.error(request, 404, "Not Found");
    }
  }

  private static String allowed(List<Entry> candidates, List<String> path) {
    return candidates.stream()
        .filter(entry -> entry.template().matches(path))
        .flatMap(entry -> entry.route().methods().stream())
        .map(HttpMethod::name)
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
