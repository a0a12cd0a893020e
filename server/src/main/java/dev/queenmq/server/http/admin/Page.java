package dev.queenmq.server.http.admin;

import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.routing.QueryParameters;
import io.vertx.core.http.HttpServerRequest;

/** Which part of a long list is wanted. */
public record Page(int limit, int offset) {
  /** The largest page. */
  public static final int MOST = 10_000;

  /** How many partitions of a queue, or lagging ones, can be listed in less than half a second. */
  static final int USUAL_PARTITIONS = 2_000;

  /** Likewise of a group. */
  static final int USUAL_POSITIONS = 5_000;

  /** The parameters of a route that takes nothing else. */
  public static final KnownNames PARAMETERS = KnownNames.parameters("limit", "offset");

  /** A list that older clients expect whole: as much of it as a page may have. */
  static Page all(HttpServerRequest request) {
    return of(QueryParameters.parse(request.query(), PARAMETERS), MOST, MOST);
  }

  /** By the parameters {@code limit} and {@code offset}. */
  public static Page of(QueryParameters query, int usual, int most) {
    return new Page(
        query.number("limit", 1, most, usual), query.number("offset", 0, Integer.MAX_VALUE, 0));
  }
}
