package dev.queenmq.server.http.routing;

import dev.queenmq.server.broker.RequestTrace;
import dev.queenmq.server.broker.RequestTracing;
import java.util.List;
import java.util.Map;

/** The routes of messages, with a trace of each request. Without tracing they are left as is. */
public final class TracedRoutes {
  private static final String TRACEPARENT = "traceparent";

  private static final Map<String, String> OPERATIONS =
      Map.of(
          "/api/v1/push", "push",
          "/api/v1/pop", "pop",
          "/api/v1/pop/queue/:queue", "pop",
          "/api/v1/pop/queue/:queue/partition/:partition", "pop",
          "/api/v1/ack", "ack",
          "/api/v1/ack/batch", "ack",
          "/api/v1/transaction", "transaction",
          "/api/v1/lease/:leaseId/extend", "extend");

  private TracedRoutes() {}

  /** All of them, in their order. */
  public static List<Route> of(List<Route> routes, RequestTracing tracing) {
    return routes.stream()
        .map(route -> OPERATIONS.containsKey(route.template()) ? traced(route, tracing) : route)
        .toList();
  }

  private static Route traced(Route route, RequestTracing tracing) {
    String operation = String.valueOf(OPERATIONS.get(route.template()));
    ContextHandler handler = route.handler();
    return new Route(
        route.methods(),
        route.template(),
        route.access(),
        route.scope(),
        (request, path, call) -> {
          RequestTrace trace = tracing.begin(operation, request.getHeader(TRACEPARENT));
          call.follow(trace);
          request
              .response()
              .bodyEndHandler(end -> trace.answered(request.response().getStatusCode()))
              .exceptionHandler(gone -> trace.abandoned());
          handler.handle(request, path, call);
        });
  }
}
