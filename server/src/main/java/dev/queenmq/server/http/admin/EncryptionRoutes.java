package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.EncryptionQueries;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.routing.AdminReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import java.util.List;

/** With which keys payloads are sealed, and how far they are sealed again. Safe for any loop. */
public final class EncryptionRoutes {
  private final EncryptionQueries queries;

  /** Over these queries. */
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
            (request, path) -> AdminReply.object(request, queries.status())));
  }
}
