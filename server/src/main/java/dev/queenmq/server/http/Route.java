package dev.queenmq.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * Who answers which requests.
 *
 * @param methods of the requests
 * @param template of their path; a part that starts with a colon stands for any text but none
 */
public record Route(List<HttpMethod> methods, String template, RouteHandler handler) {

  /** Checks the template. */
  public Route {
    methods = List.copyOf(methods);
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("a path starts with a slash: " + template);
    }
  }

  /** A route for one method. */
  public static Route of(HttpMethod method, String template, RouteHandler handler) {
    return new Route(List.of(method), template, handler);
  }

  /** A route that only reads: {@code GET}, and {@code HEAD} with it. */
  public static Route read(String template, RouteHandler handler) {
    return new Route(List.of(HttpMethod.GET, HttpMethod.HEAD), template, handler);
  }
}
