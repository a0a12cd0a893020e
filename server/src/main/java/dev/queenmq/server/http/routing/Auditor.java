package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.AuditEntry;
import dev.queenmq.server.auth.AuditLog;
import dev.queenmq.server.auth.Caller;
import dev.queenmq.server.http.json.HttpProblem;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Records in the audit log how requests ended. Safe for any event loop. */
final class Auditor {
  private static final int UNAUTHENTICATED = 401;
  private static final int FORBIDDEN = 403;

  private final AuditLog log;

  Auditor(AuditLog log) {
    this.log = log;
  }

  /** Looks out for the end of a request, if it is worth a line. */
  void watch(HttpServerRequest request, Route route, PathParameters path, RequestContext call) {
    boolean action = route.access().isAudited() && !isRead(request.method());
    boolean mayBeRefused = route.scope() == QueueScope.HANDLER && !isAnybody(call.caller());
    if (!action && !mayBeRefused) {
      return;
    }
    boolean[] written = {false};
    request
        .response()
        .headersEndHandler(
            head -> {
              written[0] = true;
              int status = request.response().getStatusCode();
              if (action || status == FORBIDDEN) {
                write(request, route, path, call, status);
              }
            });
    if (action) {
      // The action may have been carried out nevertheless.
      request
          .response()
          .closeHandler(
              gone -> {
                if (!written[0]) {
                  written[0] = true;
                  write(request, route, path, call, 0);
                }
              });
    }
  }

  /** The same for one that is not let through. */
  void refused(HttpServerRequest request, Route route, PathParameters path, Caller caller) {
    request
        .response()
        .headersEndHandler(
            head -> {
              int status = request.response().getStatusCode();
              if (status == UNAUTHENTICATED) {
                // As little as possible of what an unauthenticated client sent.
                log.write(entry(request, route, path.named(), caller, status));
              } else if (status == FORBIDDEN) {
                log.write(entry(request, route, named(request, path), caller, status));
              }
            });
  }

  private void write(
      HttpServerRequest request,
      Route route,
      PathParameters path,
      RequestContext call,
      int status) {
    Map<String, String> parameters = named(request, path);
    parameters.putAll(call.notes());
    log.write(entry(request, route, parameters, call.caller(), status));
  }

  /** What path and query say. */
  private static Map<String, String> named(HttpServerRequest request, PathParameters path) {
    Map<String, String> parameters = new LinkedHashMap<>();
    try {
      parameters.putAll(QueryParameters.parse(request.query()).all());
    } catch (HttpProblem e) {
      // A malformed query was not read, so it is not logged.
      parameters.clear();
    }
    parameters.putAll(path.named());
    return parameters;
  }

  private static AuditEntry entry(
      HttpServerRequest request,
      Route route,
      Map<String, String> parameters,
      Caller caller,
      int status) {
    String client =
        request.remoteAddress() == null
            ? ""
            : String.valueOf(request.remoteAddress().hostAddress());
    return new AuditEntry(
        caller.subject(), client, request.method().name(), route.template(), parameters, status);
  }

  private static boolean isRead(HttpMethod method) {
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }

  private static boolean isAnybody(Caller caller) {
    return caller == Caller.anonymous();
  }
}
