package dev.queenmq.server.http.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rejects request heads that a proxy and the broker may interpret differently: without a host, with
 * two, or with a target that is no path. Safe for any event loop.
 */
final class HeadCheck {

  private HeadCheck() {}

  /** What is wrong with a head, if something is. */
  static Optional<String> fault(HttpServerRequest request) {
    List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
    if (hosts.size() > 1) {
      return Optional.of("The request has more than one Host header");
    }
    if (hosts.isEmpty()) {
      // HTTP/1.0 has none, and some probes of load balancers still speak it.
      return request.version() == HttpVersion.HTTP_1_0
          ? target(request, null)
          : Optional.of("The request has no Host header");
    }
    String host = hosts.get(0);
    if (!Authority.isOne(host)) {
      return Optional.of("The Host header is not a host with or without a port");
    }
    return target(request, host);
  }

  private static Optional<String> target(HttpServerRequest request, @Nullable String host) {
    String target = request.uri();
    boolean good =
        target.startsWith("/")
            || (target.equals("*") && request.method().equals(HttpMethod.OPTIONS))
            || (host != null && isAbsolute(target, host));
    return good ? Optional.empty() : Optional.of("The request target must begin with a slash");
  }

  /** As clients write it that take the broker for a proxy; it must name the same host. */
  private static boolean isAbsolute(String target, String host) {
    int scheme = target.startsWith("http://") ? 7 : target.startsWith("https://") ? 8 : -1;
    return scheme > 0 && target.startsWith(host + "/", scheme);
  }
}
