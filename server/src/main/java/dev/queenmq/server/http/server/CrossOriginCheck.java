package dev.queenmq.server.http.server;

import dev.queenmq.server.config.values.CorsOrigins;
import dev.queenmq.server.config.values.HostNames;
import dev.queenmq.server.http.json.HttpProblem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests that web pages of other origins send through the browser of a user who can reach
 * the broker. CORS headers alone do not prevent these: they keep a page from reading an answer, but
 * a form, an image or a POST of plain text has done its work by then. Safe for any event loop.
 *
 * <p>Browsers say where a request comes from, and a page cannot change that: {@code Origin} stands
 * on everything but plain GETs, {@code Sec-Fetch-Site} on everything that goes to https or to
 * loopback. Clients that are no browsers send neither and pass.
 */
final class CrossOriginCheck {
  private static final int FORBIDDEN = 403;
  private static final int MISDIRECTED = 421;
  private static final String FETCH_SITE = "Sec-Fetch-Site";
  private static final String FORWARDED_HOST = "X-Forwarded-Host";
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final CorsOrigins origins;
  private final HostNames hosts;
  private final ClientAddresses addresses;

  CrossOriginCheck(CorsOrigins origins, HostNames hosts, ClientAddresses addresses) {
    this.origins = origins;
    this.hosts = hosts;
    this.addresses = addresses;
  }

  /** Why a request is refused, if it is. */
  Optional<HttpProblem> refusal(HttpServerRequest request) {
    // Most brokers answer to any name, and most requests come from no page: then none is read.
    if (!hosts.isAny() && host(request).filter(host -> !hosts.allow(host.host())).isPresent()) {
      return Optional.of(
          new HttpProblem(
              MISDIRECTED,
              "This broker does not answer to that Host; QUEEN_ALLOWED_HOSTS lists its names"));
    }
    return isForeign(request) && !isLinkToTheDashboard(request)
        ? Optional.of(
            new HttpProblem(
                FORBIDDEN,
                "Web pages of this origin may not use this broker; QUEEN_CORS_ORIGINS lists those"
                    + " that may"))
        : Optional.empty();
  }

  /**
   * The page at the root contains no data and changes nothing, so other pages may link to it: a
   * browser shows it in a tab, where it is of an origin of its own. What a page would embed has
   * another destination.
   */
  private static boolean isLinkToTheDashboard(HttpServerRequest request) {
    return "/".equals(request.path())
        && (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD))
        && request.headers().getAll(HttpHeaders.ORIGIN).isEmpty()
        && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
        && "document".equals(request.getHeader("Sec-Fetch-Dest"));
  }

  private boolean isForeign(HttpServerRequest request) {
    if (origins.kind() == CorsOrigins.Kind.ANY) {
      return false;
    }
    List<String> given = request.headers().getAll(HttpHeaders.ORIGIN);
    List<String> sites = request.headers().getAll(FETCH_SITE);
    if (given.isEmpty() && sites.isEmpty()) {
      return false;
    }
    if (given.size() > 1 || sites.size() > 1) {
      return true;
    }
    if (!given.isEmpty() && origins.allow(given.get(0))) {
      return false;
    }
    String site = sites.isEmpty() ? "" : sites.get(0).strip().toLowerCase(Locale.ROOT);
    if (given.isEmpty()) {
      return site.equals("cross-site") || site.equals("same-site");
    }
    return site.equals("cross-site") || !isOwn(request, given.get(0), host(request));
  }

  /**
   * Whether the page came from this broker. What ends TLS may stand in between, so that a page of
   * https may speak plain text here, but not the other way round.
   */
  private static boolean isOwn(
      HttpServerRequest request, String origin, Optional<Authority> asked) {
    int scheme = origin.indexOf("://");
    if (scheme < 0 || asked.isEmpty()) {
      return false;
    }
    boolean https = origin.substring(0, scheme).equalsIgnoreCase("https");
    boolean http = origin.substring(0, scheme).equalsIgnoreCase("http");
    if (!https && (!http || request.isSSL())) {
      return false;
    }
    return Authority.parse(origin.substring(scheme + 3))
        .filter(page -> page.isSame(asked.get(), https ? HTTPS_PORT : HTTP_PORT))
        .isPresent();
  }

  /** The host that the client asked for: what a proxy says of it counts if the proxy is trusted. */
  private Optional<Authority> host(HttpServerRequest request) {
    @Nullable String forwarded =
        addresses.isProxy(request.remoteAddress()) ? request.getHeader(FORWARDED_HOST) : null;
    @Nullable String host = forwarded == null ? request.getHeader(HttpHeaders.HOST) : forwarded;
    if (host == null) {
      return Optional.empty();
    }
    // Of several, the trusted proxy added the last.
    return Authority.parse(host.substring(host.lastIndexOf(',') + 1).strip());
  }
}
