package dev.queenmq.server.http.dashboard;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteHandler;
import dev.queenmq.server.http.routing.RouteTable;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the dashboard: a page at the root, and the files that it loads. Safe for any event loop.
 */
public final class DashboardPages {
  private static final Logger log = LoggerFactory.getLogger(DashboardPages.class);
  private static final int NOT_MODIFIED = 304;
  private static final int NOT_FOUND = 404;
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  private final DashboardFiles files;

  /**
   * Of this broker.
   *
   * @param tokens whether the broker asks for tokens
   */
  public DashboardPages(String version, boolean tokens) {
    files = new DashboardFiles(version, tokens);
  }

  /** The routes, for a {@link RouteTable}; they need no token, because they contain no data. */
  public List<Route> routes() {
    String root = DashboardFiles.ROOT + "/:fingerprint/:";
    return List.of(
        open("/", (request, path) -> page(request)),
        open(root + "file", (request, path) -> file(request, path, "file")),
        open(root + "a/:file", (request, path) -> file(request, path, "a", "file")),
        open(root + "a/:b/:file", (request, path) -> file(request, path, "a", "b", "file")));
  }

  private static Route open(String template, RouteHandler handler) {
    return Route.read(template, Access.OPEN, QueueScope.ALL, handler);
  }

  /** A browser asks for it each time, so that it finds the files of a new release. */
  private void page(HttpServerRequest request) {
    request
        .response()
        .putHeader("Content-Security-Policy", files.policy())
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("X-Frame-Options", "DENY");
    send(request, files.page(), files.pageTag(), "no-cache");
  }

  private void file(HttpServerRequest request, PathParameters path, String... parts) {
    Optional<DashboardFile> file =
        path.get("fingerprint").equals(files.fingerprint())
            ? files.find(String.join("/", Stream.of(parts).map(path::get).toList()))
            : Optional.empty();
    file.ifPresentOrElse(
        found -> send(request, found, files.fingerprint(), FOR_EVER),
        () -> JsonReply.error(request, NOT_FOUND, "Not Found"));
  }

  private static void send(
      HttpServerRequest request, DashboardFile file, String mark, String caching) {
    String tag = "\"" + mark + "\"";
    HttpServerResponse response =
        request
            .response()
            .putHeader(HttpHeaders.ETAG, tag)
            .putHeader(HttpHeaders.CACHE_CONTROL, caching);
    @Nullable String known = request.getHeader(HttpHeaders.IF_NONE_MATCH);
    if (known != null && known.contains(tag)) {
      end(request, response.setStatusCode(NOT_MODIFIED).end());
    } else {
      end(
          request,
          response.putHeader(HttpHeaders.CONTENT_TYPE, file.contentType()).end(file.content()));
    }
  }

  private static void end(HttpServerRequest request, Future<Void> sent) {
    sent.onFailure(gone -> log.debug("{}: {}", request.path(), gone.getMessage()));
  }
}
