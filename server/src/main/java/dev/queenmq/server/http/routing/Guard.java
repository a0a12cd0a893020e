package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.auth.AuditLog;
import dev.queenmq.server.auth.AuthException;
import dev.queenmq.server.auth.Authenticator;
import dev.queenmq.server.auth.Caller;
import dev.queenmq.server.auth.SkipPaths;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.model.QueueLabels;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs before every route: identifies the caller and checks whether it may use the route. Safe for
 * any event loop.
 *
 * <p>Decides at once where it can. Otherwise the request is paused meanwhile, so that nothing of
 * its body is lost.
 */
public final class Guard {
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private final Optional<Authenticator> authenticator;
  private final SkipPaths open;
  private final Auditor auditor;
  private final QueueNames names;

  /**
   * A guard.
   *
   * @param authenticator absent: every caller may do everything
   * @param open paths that need no token
   */
  public Guard(
      Optional<Authenticator> authenticator, SkipPaths open, AuditLog audit, QueueNames names) {
    this.authenticator = authenticator;
    this.open = open;
    this.auditor = new Auditor(audit);
    this.names = names;
  }

  /** A guard without authentication and audit. */
  static Guard open() {
    return new Guard(
        Optional.empty(), new SkipPaths(List.of()), AuditLog.none(), new NoQueueNames());
  }

  /** Lets a request through to its route, or answers it. */
  void admit(HttpServerRequest request, Route route, PathParameters path) {
    if (route.access() == Access.OPEN
        || authenticator.isEmpty()
        || open.contain(String.valueOf(request.path()))) {
      pass(request, route, path, Caller.anonymous());
      return;
    }
    List<String> headers = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    CompletableFuture<Caller> answer = authenticator.get().authenticate(headers);
    if (answer.isDone()) {
      decide(request, route, path, answer);
      return;
    }
    Context context = Vertx.currentContext();
    request.pause();
    var unused =
        answer.whenComplete(
            (caller, failure) ->
                context.runOnContext(
                    go -> {
                      if (decide(request, route, path, answer)) {
                        request.resume();
                      }
                    }));
  }

  /**
   * False if queue names have to be looked up first. The lookup then resumes the request. If it
   * were resumed before, its body would arrive while nothing takes it in yet.
   */
  private boolean decide(
      HttpServerRequest request,
      Route route,
      PathParameters path,
      CompletableFuture<Caller> answer) {
    if (request.response().closed()) {
      return true;
    }
    try {
      return check(request, route, path, answer.join());
    } catch (CompletionException e) {
      refuse(request, route, path, Caller.anonymous(), e.getCause() == null ? e : e.getCause());
    } catch (RuntimeException e) {
      JsonReply.failure(request, e);
    }
    return true;
  }

  /** False if queue names have to be looked up first. */
  private boolean check(
      HttpServerRequest request, Route route, PathParameters path, Caller caller) {
    try {
      if (!caller.may(route.access())) {
        throw AuthException.forbidden();
      }
      if (caller.isLimited() && !reaches(request, route, path, caller)) {
        return false;
      }
    } catch (AuthException refusal) {
      refuse(request, route, path, caller, refusal);
      return true;
    }
    pass(request, route, path, caller);
    return true;
  }

  /**
   * False if queue names have to be looked up first; the lookup then continues with the request.
   */
  private boolean reaches(
      HttpServerRequest request, Route route, PathParameters path, Caller caller) {
    RequestContext call = new RequestContext(caller, names);
    switch (route.scope()) {
      case ALL -> throw AuthException.forbidden();
      case PATH -> call.requireQueue(path.get("queue"));
      case QUERY -> {
        String queue = QueryParameters.parse(request.query()).text("queue");
        if (queue.isEmpty()) {
          throw AuthException.forbidden();
        }
        call.requireQueue(queue);
      }
      case PARTITION -> {
        @Nullable UUID partition = UuidText.parse(path.get("partitionId"));
        if (partition != null) {
          later(request, route, path, call, partition);
          return false;
        }
      }
      case HANDLER -> {}
    }
    return true;
  }

  private void later(
      HttpServerRequest request,
      Route route,
      PathParameters path,
      RequestContext call,
      UUID partition) {
    Future<Void> reached = call.reachPartitions(List.of(partition));
    if (!reached.isComplete()) {
      request.pause();
    }
    reached.onComplete(
        done -> {
          if (done.failed()) {
            refuse(request, route, path, call.caller(), done.cause());
          } else {
            pass(request, route, path, call.caller());
          }
          request.resume();
        });
  }

  private void pass(HttpServerRequest request, Route route, PathParameters path, Caller caller) {
    RequestContext call = new RequestContext(caller, names);
    auditor.watch(request, route, path, call);
    try {
      checkEncoding(request);
      route.handler().handle(request, path, call);
    } catch (RuntimeException e) {
      JsonReply.failure(request, e);
    }
  }

  /** Bodies are taken as they come: what was compressed would look like broken JSON. */
  private static void checkEncoding(HttpServerRequest request) {
    @Nullable String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.isBlank() && !encoding.strip().equalsIgnoreCase("identity")) {
      throw new HttpProblem(UNSUPPORTED_MEDIA_TYPE, "Content-Encoding must be identity");
    }
  }

  private void refuse(
      HttpServerRequest request,
      Route route,
      PathParameters path,
      Caller caller,
      Throwable failure) {
    auditor.refused(request, route, path, caller);
    JsonReply.failure(request, failure);
  }

  /** Never called: without tokens there are no limits. */
  private static final class NoQueueNames implements QueueNames {
    @Override
    public Future<List<String>> ofPartitions(Collection<UUID> partitionIds) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<String>> ofLease(UUID leaseId) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<String>> ofStream(String name) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<String>> ofQuery(UUID queryId) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<Optional<QueueLabels>> labels(String queue) {
      return Future.succeededFuture(Optional.empty());
    }
  }
}
