package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.EncryptionQueries;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import java.util.List;

/**
 * The keys that payloads are encrypted with, and the progress of re-encryption. Safe for any loop.
 */
public final class EncryptionRoutes {
  private final EncryptionQueries queries;

  /** Routes that show the results of these queries. */
  public EncryptionRoutes(EncryptionQueries queries) {
    this.queries = queries;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/system/encryption",
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> JsonReply.object(request, queries.status())));
  }
}
