package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.Access;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * A route: which requests it answers, by which handler, and who may use it.
 *
 * @param methods of the requests
 * @param template of their path; a part that starts with a colon stands for any text but none
 * @param access what a caller must be allowed
 * @param scope where it names the queues that it is about
 */
public record Route(
    List<HttpMethod> methods,
    String template,
    Access access,
    QueueScope scope,
    ContextHandler handler) {

  /** Checks the template. */
  public Route {
    methods = List.copyOf(methods);
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("a path starts with a slash: " + template);
    }
    require(scope != QueueScope.PATH || template.contains("/:queue"), template, ":queue");
    require(
        scope != QueueScope.PARTITION || template.contains("/:partitionId"),
        template,
        ":partitionId");
  }

  /** A route for one method. */
  public static Route of(
      HttpMethod method, String template, Access access, QueueScope scope, RouteHandler handler) {
    return new Route(List.of(method), template, access, scope, blind(scope, template, handler));
  }

  /** The same, for a handler that needs to know the caller. */
  public static Route calling(
      HttpMethod method, String template, Access access, QueueScope scope, ContextHandler handler) {
    return new Route(List.of(method), template, access, scope, handler);
  }

  /** A route that only reads: {@code GET}, and {@code HEAD} with it. */
  public static Route read(String template, Access access, QueueScope scope, RouteHandler handler) {
    return new Route(
        List.of(HttpMethod.GET, HttpMethod.HEAD),
        template,
        access,
        scope,
        blind(scope, template, handler));
  }

  private static ContextHandler blind(QueueScope scope, String template, RouteHandler handler) {
    if (scope == QueueScope.HANDLER) {
      throw new IllegalArgumentException("its handler must check the queues: " + template);
    }
    return (request, path, call) -> handler.handle(request, path);
  }

  private static void require(boolean there, String template, String parameter) {
    if (!there) {
      throw new IllegalArgumentException(template + " has no " + parameter);
    }
  }
}
