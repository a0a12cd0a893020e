package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.TraceDraft;
import dev.queenmq.server.admin.Traces;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.encryption.PayloadReader;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What consumers note about messages: recorded, and found again by message or by name. Safe for any
 * event loop.
 */
public final class TraceRoutes {
  private static final int MAX_PAGE = 1_000;
  private static final int NAMED_PAGE = 100;
  private static final int NAMES_PAGE = 50;

  /** Bounded, because the rows before the page are read too. */
  private static final int MOST_OFFSET = 10_000;

  private static final KnownNames OF_NAME = KnownNames.parameters("queue", "limit", "offset");

  private final Traces traces;
  private final TraceCodec codec;
  private final BodyHandler bodies;
  private final PageReply pages;

  /** Routes that record and show traces. */
  public TraceRoutes(
      Traces traces,
      PayloadReader payloads,
      HttpLimits limits,
      BodyHandler bodies,
      PageReply pages) {
    this.traces = traces;
    this.codec = new TraceCodec(JsonInput.factory(limits.maxDepth()), payloads);
    this.bodies = bodies;
    this.pages = pages;
  }

  /** The routes, for a {@link RouteTable}; of those that fit a path, the first counts. */
  public List<Route> routes() {
    return List.of(
        Route.calling(
            HttpMethod.POST,
            "/api/v1/traces",
            Access.PROCESS,
            QueueScope.HANDLER,
            (request, path, call) -> record(request, call)),
        Route.read(
            "/api/v1/traces/names", Access.READ, QueueScope.ALL, (request, path) -> names(request)),
        Route.read(
            "/api/v1/traces/by-name/:traceName", Access.READ, QueueScope.QUERY, this::ofName),
        Route.read(
            "/api/v1/traces/:partitionId/:transactionId",
            Access.READ,
            QueueScope.PARTITION,
            this::ofMessage));
  }

  private void record(HttpServerRequest request, RequestContext call) {
    bodies.handleUntilDone(
        request,
        BodyHandler.Size.SOME,
        body -> {
          TraceDraft draft = codec.read(body);
          return call.reachPartitions(List.of(draft.partitionId()))
              .compose(reached -> traces.record(draft))
              .onSuccess(
                  id -> {
                    if (id.isPresent()) {
                      JsonReply.send(request, 201, TraceCodec.recorded(id.get()));
                    } else {
                      JsonReply.send(request, 404, TraceCodec.notFound());
                    }
                  })
              .onFailure(failure -> JsonReply.failure(request, failure));
        });
  }

  private void ofMessage(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    int limit = query.number("limit", 1, MAX_PAGE, MAX_PAGE);
    int offset = offset(query);
    UUID partition = TraceCodec.partition(path.get("partitionId"));
    String transaction = Texts.id("transactionId", path.get("transactionId"));
    pages.send(
        request,
        bytes -> traces.ofMessage(partition, transaction, limit, offset, bytes),
        page -> page.needed(),
        page -> codec.traces(page, limit, offset));
  }

  private void ofName(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), OF_NAME);
    int limit = query.number("limit", 1, MAX_PAGE, NAMED_PAGE);
    int offset = offset(query);
    String name = Texts.existing("traceName", path.get("traceName"));
    String queue = query.text("queue");
    Optional<String> only =
        queue.isEmpty() ? Optional.empty() : Optional.of(Texts.existing("queue", queue));
    pages.send(
        request,
        bytes -> traces.ofName(name, only, limit, offset, bytes),
        page -> page.needed(),
        page -> codec.traces(page, limit, offset));
  }

  private void names(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    int limit = query.number("limit", 1, MAX_PAGE, NAMES_PAGE);
    int offset = offset(query);
    reply(request, traces.names(limit, offset).map(page -> TraceCodec.names(page, limit, offset)));
  }

  private static int offset(QueryParameters query) {
    return query.number("offset", 0, MOST_OFFSET, 0);
  }

  private static void reply(HttpServerRequest request, Future<Buffer> answer) {
    answer
        .onSuccess(body -> JsonReply.send(request, 200, body))
        .onFailure(failure -> JsonReply.failure(request, failure));
  }
}
