package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.history.TimeRange;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.routing.QueryParameters;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The range of time that a query asks for. */
public final class Ranges {
  private Ranges() {}

  /** From {@code from} to {@code to}; without one, a usual length before the other, or now. */
  public static TimeRange of(QueryParameters query, long nowMillis, Duration usual) {
    Instant now = Instant.ofEpochMilli(nowMillis);
    @Nullable Instant from = moment(query, "from");
    @Nullable Instant to = moment(query, "to");
    if (to == null) {
      to = from == null || from.isBefore(now) ? now : earlier(from.plus(usual), Timestamps.LAST);
    }
    if (from == null) {
      from = later(to.minus(usual), Timestamps.FIRST);
    }
    if (from.isAfter(to)) {
      throw HttpProblem.badRequest("from must not be after to");
    }
    return new TimeRange(from, to, now);
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }

  private static @Nullable Instant moment(QueryParameters query, String name) {
    String text = query.text(name);
    if (text.isEmpty()) {
      return null;
    }
    @Nullable Instant moment = Timestamps.parse(text);
    if (moment == null) {
      throw HttpProblem.badRequest(name + " must be an ISO 8601 timestamp");
    }
    return moment;
  }
}
