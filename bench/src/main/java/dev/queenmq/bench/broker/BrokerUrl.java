package dev.queenmq.bench.broker;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where a broker answers.
 *
 * @param prefix what stands before every path; empty or with a leading slash
 * @param token that every request carries; empty: none
 */
public record BrokerUrl(String host, int port, String prefix, String token) {
  private static final int HTTP_PORT = 80;

  /** One that asks for no token. */
  public BrokerUrl(String host, int port, String prefix) {
    this(host, port, prefix, "");
  }

  /** Reads {@code http://host:port/prefix}. */
  public static BrokerUrl parse(String text) {
    URI uri = URI.create(text);
    if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException("'" + text + "' is not like http://host:port");
    }
    String path = uri.getPath() == null ? "" : uri.getPath();
    return new BrokerUrl(
        uri.getHost(),
        uri.getPort() < 0 ? HTTP_PORT : uri.getPort(),
        path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }

  /** The same with this token. */
  public BrokerUrl with(String other) {
    return new BrokerUrl(host, port, prefix, other);
  }

  /** A name as a part of a path or of a query. */
  public static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return "http://" + host + ":" + port + prefix;
  }
}
