package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.history.DashboardQueries;
import dev.queenmq.server.admin.history.DashboardQueries.Listing;
import dev.queenmq.server.admin.history.TimeRange;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.auth.Caller;
import dev.queenmq.server.auth.QueueLimit;
import dev.queenmq.server.broker.Figures;
import dev.queenmq.server.broker.Maintenance;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteHandler;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.metrics.BrokerView;
import dev.queenmq.server.metrics.ProcessMeter;
import dev.queenmq.server.spool.SpoolStatus;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the pages of the dashboard ask for and no other route answers: a page in one request, and
 * lists that are searched, sorted and paged here. Safe for any event loop.
 */
public final class DashboardRoutes {
  private static final String ROOT = "/api/v1/dashboard/";
  private static final int USUAL_PAGE = 50;
  private static final int MOST = 1_000;
  private static final int MOST_MINUTES = 31 * 24 * 60;
  private static final long STORE_MILLIS = 5_000;

  /** Stands for dead letters without an error. */
  private static final String NO_ERROR = "(none)";

  private static final KnownNames NOTHING = KnownNames.parameters();
  private static final KnownNames OVERVIEW = KnownNames.parameters("minutes");
  private static final KnownNames HISTORY = KnownNames.parameters("queue", "minutes");
  private static final KnownNames QUEUES =
      KnownNames.parameters("search", "sort", "order", "limit", "offset");
  private static final KnownNames GROUPS =
      KnownNames.parameters("queue", "consumerGroup", "search", "sort", "order", "limit", "offset");
  private static final KnownNames SEARCHED = KnownNames.parameters("search", "limit", "offset");
  private static final KnownNames LAGGING =
      KnownNames.parameters("queue", "consumerGroup", "limit", "offset");
  private static final KnownNames ERRORS = KnownNames.parameters("queue", "limit");
  private static final KnownNames LETTERS =
      KnownNames.parameters("error", "consumerGroup", "limit", "offset");

  private static final List<String> QUEUE_COLUMNS =
      List.of("name", "partitions", "pending", "processing", "total", "dead");
  private static final List<String> GROUP_COLUMNS = List.of("name", "lag", "age", "leased");

  /** What a token may be allowed, as the pages call it. */
  private static final Map<String, Access> PERMISSIONS =
      Map.of(
          "read", Access.READ,
          "produce", Access.PRODUCE,
          "consume", Access.CONSUME,
          "write", Access.MANAGE,
          "admin", Access.ADMIN);

  /**
   * What there is to look at.
   *
   * @param sharedState what the broker knows of others
   * @param spool what it keeps on its disk
   * @param health what is known of PostgreSQL
   */
  public record Sources(
      DashboardQueries queries,
      Figures figures,
      Supplier<JsonObject> sharedState,
      Supplier<SpoolStatus> spool,
      Maintenance maintenance,
      HealthDetails health) {}

  private final Sources sources;
  private final DashboardQueries queries;
  private final SharedAnswers answers;
  private final BrokerView broker;
  private final String version;
  private final boolean tokens;

  /**
   * Over what there is to look at.
   *
   * @param name of the broker
   * @param tokens whether the broker asks for tokens
   */
  public DashboardRoutes(
      Sources sources, SharedAnswers answers, String name, String version, boolean tokens) {
    this.sources = sources;
    this.queries = sources.queries();
    this.answers = answers;
    this.broker = new BrokerView(name, version, new ProcessMeter());
    this.version = version;
    this.tokens = tokens;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.calling(
            HttpMethod.GET,
            ROOT + "session",
            Access.READ,
            QueueScope.HANDLER,
            (request, path, context) -> session(request, context.caller())),
        read("overview", QueueScope.ALL, (request, path) -> overview(request)),
        read("system", QueueScope.ALL, (request, path) -> system(request)),
        read("history", QueueScope.QUERY, (request, path) -> history(request)),
        read("queues", QueueScope.ALL, (request, path) -> queues(request)),
        read("queues/:queue", QueueScope.PATH, this::queue),
        read("queues/:queue/lanes", QueueScope.PATH, this::lanes),
        read("queues/:queue/dead-letters", QueueScope.PATH, this::deadLetters),
        read("groups", QueueScope.QUERY, (request, path) -> groups(request)),
        read("lagging", QueueScope.QUERY, (request, path) -> lagging(request)),
        read("errors", QueueScope.QUERY, (request, path) -> errors(request)),
        read("streams", QueueScope.ALL, (request, path) -> streams(request)),
        read("streams/:queryId/lanes", QueueScope.ALL, this::streamLanes));
  }

  private static Route read(String name, QueueScope scope, RouteHandler handler) {
    return Route.read(ROOT + name, Access.READ, scope, handler);
  }

  private void session(HttpServerRequest request, Caller caller) {
    QueryParameters.parse(request.query(), NOTHING);
    JsonArray permissions = new JsonArray();
    PERMISSIONS.entrySet().stream()
        .filter(entry -> caller.may(entry.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .forEach(permissions::add);
    JsonReply.send(
        request,
        200,
        new JsonObject()
            .put("tokens", tokens)
            .put("subject", caller.subject().orElse(null))
            .put("permissions", permissions)
            .put("queues", patterns(caller.queues()))
            .put("expiresAt", caller.until().equals(Instant.MAX) ? null : caller.until().toString())
            .put("version", version));
  }

  private static @Nullable JsonArray patterns(QueueLimit limit) {
    if (!(limit instanceof QueueLimit.Only only)) {
      return null;
    }
    JsonArray patterns = new JsonArray();
    only.names().stream().sorted().forEach(patterns::add);
    only.prefixes().stream().sorted().map(prefix -> prefix + "*").forEach(patterns::add);
    return patterns;
  }

  /** While PostgreSQL is away, what this broker knows by itself is still reported. */
  private void overview(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), OVERVIEW);
    int minutes = query.number("minutes", 0, MOST_MINUTES, 0);
    answers.object(
        request,
        () -> {
          Future<JsonObject> history =
              minutes == 0
                  ? Future.succeededFuture(new JsonObject())
                  : queries.history(range(minutes), "");
          return queries
              .overview()
              .compose(
                  store ->
                      history.map(points -> minutes == 0 ? store : store.put("history", points)))
              .timeout(STORE_MILLIS, TimeUnit.MILLISECONDS)
              .map(store -> overview(Optional.of(store), Optional.empty()))
              .recover(
                  failure ->
                      Future.succeededFuture(overview(Optional.empty(), Optional.of(failure))));
        });
  }

  private JsonObject overview(Optional<JsonObject> store, Optional<Throwable> failure) {
    JsonObject shared = sources.sharedState().get();
    JsonObject peers = shared.getJsonObject("server_health", new JsonObject());
    JsonObject answer =
        new JsonObject()
            .put("broker", broker.toJson(sources.figures().now()))
            .put("postgres", postgres(failure))
            .put("spool", spool(sources.spool().get()))
            .put("maintenance", maintenance())
            .put(
                "cluster",
                new JsonObject()
                    .put("enabled", shared.getBoolean("enabled", false))
                    .put("alive", peers.getLong("servers_alive", 0L))
                    .put("tracked", peers.getLong("servers_tracked", 0L)));
    store.ifPresent(found -> answer.put("history", found.remove("history")));
    return answer.put("store", store.orElse(null));
  }

  private JsonObject postgres(Optional<Throwable> failure) {
    JsonObject known = new JsonObject();
    Optional<Throwable> fault =
        failure.map(thrown -> thrown.getCause() == null ? thrown : thrown.getCause());
    sources.health().add(known, fault);
    @Nullable JsonObject durability = known.getJsonObject("durability");
    return new JsonObject()
        .put("reachable", failure.isEmpty())
        .put("error", known.getString("database_error"))
        .put("durable", durability == null ? null : durability.getBoolean("safe"));
  }

  private static JsonObject spool(SpoolStatus spool) {
    return new JsonObject()
        .put("present", spool.present())
        .put("pending", spool.figures().pending())
        .put("bytes", spool.figures().bytes())
        .put("maxBytes", spool.maxBytes())
        .put("dead", spool.figures().dead())
        .put("healthy", spool.healthy());
  }

  private JsonObject maintenance() {
    return new JsonObject()
        .put("pushes", sources.maintenance().ofPushes())
        .put("pops", sources.maintenance().ofPops());
  }

  private void system(HttpServerRequest request) {
    QueryParameters.parse(request.query(), NOTHING);
    answers.object(
        request,
        () ->
            queries
                .brokers()
                .timeout(STORE_MILLIS, TimeUnit.MILLISECONDS)
                .map(Optional::of)
                .otherwise(Optional.empty())
                .map(
                    brokers ->
                        new JsonObject()
                            .put("broker", broker.toJson(sources.figures().now()))
                            .put("operations", BrokerView.operations(sources.figures().now()))
                            .put("brokers", brokers.orElse(null))
                            .put("maintenance", maintenance())
                            .put("sharedState", sources.sharedState().get())));
  }

  private void history(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), HISTORY);
    int minutes = query.number("minutes", 1, MOST_MINUTES, 60);
    String queue = name(query, "queue");
    answers.object(request, () -> queries.history(range(minutes), queue));
  }

  private TimeRange range(int minutes) {
    Instant now = Instant.ofEpochMilli(sources.figures().databaseMillis());
    return new TimeRange(now.minus(Duration.ofMinutes(minutes)), now, now);
  }

  private void queues(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), QUEUES);
    Listing listing = listing(query, QUEUE_COLUMNS);
    answers.object(request, () -> queries.queues(listing));
  }

  private void queue(HttpServerRequest request, PathParameters path) {
    QueryParameters.parse(request.query(), NOTHING);
    answers.queue(request, () -> queries.queue(Texts.existing("queue", path.get("queue"))));
  }

  private void lanes(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), SEARCHED);
    Page page = Page.of(query, USUAL_PAGE, MOST);
    String prefix = name(query, "search");
    String queue = Texts.existing("queue", path.get("queue"));
    answers.queue(request, () -> queries.lanes(queue, prefix, page.limit(), page.offset()));
  }

  private void deadLetters(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), LETTERS);
    Page page = Page.of(query, USUAL_PAGE, MOST);
    String asked = Texts.storable("error", query.text("error"));
    Optional<String> error =
        asked.isEmpty() ? Optional.empty() : Optional.of(asked.equals(NO_ERROR) ? "" : asked);
    String group = name(query, "consumerGroup");
    String queue = Texts.existing("queue", path.get("queue"));
    answers.queue(
        request, () -> queries.deadLetters(queue, error, group, page.limit(), page.offset()));
  }

  private void groups(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), GROUPS);
    Listing listing = listing(query, GROUP_COLUMNS);
    String queue = name(query, "queue");
    String group = name(query, "consumerGroup");
    answers.object(request, () -> queries.groups(queue, group, listing));
  }

  private void lagging(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), LAGGING);
    Page page = Page.of(query, USUAL_PAGE, MOST);
    String queue = name(query, "queue");
    String group = name(query, "consumerGroup");
    answers.object(request, () -> queries.lagging(queue, group, page.limit(), page.offset()));
  }

  private void errors(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), ERRORS);
    int limit = query.number("limit", 1, MOST, USUAL_PAGE);
    String queue = name(query, "queue");
    answers.object(request, () -> queries.errors(queue, limit));
  }

  private void streams(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), SEARCHED);
    Page page = Page.of(query, USUAL_PAGE, MOST);
    String search = name(query, "search");
    answers.object(request, () -> queries.streams(search, page.limit(), page.offset()));
  }

  private void streamLanes(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    Page page = Page.of(query, USUAL_PAGE, MOST);
    @Nullable UUID id = UuidText.parse(path.get("queryId"));
    if (id == null) {
      throw HttpProblem.badRequest("queryId must be a UUID");
    }
    answers.object(request, () -> queries.streamLanes(id, page.limit(), page.offset()));
  }

  private static Listing listing(QueryParameters query, List<String> columns) {
    String sort = query.text("sort").isEmpty() ? "name" : query.text("sort");
    if (!columns.contains(sort)) {
      throw HttpProblem.badRequest("sort must be one of " + String.join(", ", columns));
    }
    String order = query.text("order").isEmpty() ? "asc" : query.text("order");
    if (!order.equals("asc") && !order.equals("desc")) {
      throw HttpProblem.badRequest("order must be asc or desc");
    }
    Page page = Page.of(query, USUAL_PAGE, MOST);
    return new Listing(
        name(query, "search"), sort, order.equals("desc"), page.limit(), page.offset());
  }

  /** Empty if it is absent. */
  private static String name(QueryParameters query, String parameter) {
    return Texts.atMost255(parameter, query.text(parameter));
  }
}
