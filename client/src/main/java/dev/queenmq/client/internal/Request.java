package dev.queenmq.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as the protocol sees it: which broker it goes to, and how often, is the transport's
 * business. Immutable; every {@code with} method returns a changed copy.
 *
 * <pre>{@code
 * Request.get("/api/v1/resources/queues/{}", queue).withQuery("limit", 10)
 * Request.post("/api/v1/configure").withBody(json).withRetry(Retry.ALWAYS)
 * }</pre>
 */
public final class Request {

  /** Whether a request may be sent a second time. */
  public enum Retry {
    /** It is sent once. For callers with a loop of their own. */
    NEVER,
    /** Only if the broker certainly did nothing: no connection, or it said so (429). */
    IF_UNSENT,
    /** Also if the answer was lost. For reads, and writes that have the same effect twice. */
    ALWAYS
  }

  private final String method;
  private final String route;
  private final String path;
  private final Map<String, String> query;
  private final Map<String, String> headers;
  private final byte @Nullable [] body;
  private final Retry retry;
  private final @Nullable Duration timeout;
  private final @Nullable String affinity;
  private final @Nullable Long begun;
  private final @Nullable ChosenBroker broker;

  private Request(
      String method,
      String route,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      byte @Nullable [] body,
      Retry retry,
      @Nullable Duration timeout,
      @Nullable String affinity,
      @Nullable Long begun,
      @Nullable ChosenBroker broker) {
    this.method = method;
    this.route = route;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.body = body;
    this.retry = retry;
    this.timeout = timeout;
    this.affinity = affinity;
    this.begun = begun;
    this.broker = broker;
  }

  /**
   * A read, repeated whenever it fails for a passing reason.
   *
   * @param route a path with {@code {}} for each name
   * @param names what stands in their place; they are percent-encoded here
   */
  public static Request get(String route, String... names) {
    return of("GET", route, names).withRetry(Retry.ALWAYS);
  }

  /** A write, retried only if it was certainly not carried out, by default. */
  public static Request post(String route, String... names) {
    return of("POST", route, names);
  }

  /** A removal. A second time it removes nothing, so it is repeated. */
  public static Request delete(String route, String... names) {
    return of("DELETE", route, names).withRetry(Retry.ALWAYS);
  }

  private static Request of(String method, String route, String... names) {
    StringBuilder path = new StringBuilder();
    int from = 0;
    for (String name : names) {
      int hole = route.indexOf("{}", from);
      if (hole < 0) {
        throw new IllegalArgumentException(route + " has fewer holes than names");
      }
      path.append(route, from, hole).append(encode(name));
      from = hole + 2;
    }
    if (route.indexOf("{}", from) >= 0) {
      throw new IllegalArgumentException(route + " has more holes than names");
    }
    path.append(route, from, route.length());
    return new Request(
        method,
        route,
        path.toString(),
        Map.of(),
        Map.of(),
        null,
        Retry.IF_UNSENT,
        null,
        null,
        null,
        null);
  }

  /** In paths a plus is a plus, so that a space must be %20. */
  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Adds a parameter; null leaves it out. Numbers and booleans are written as they are. */
  public Request withQuery(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    Map<String, String> more = new LinkedHashMap<>(query);
    more.put(name, Objects.toString(value));
    return new Request(
        method, route, path, more, headers, body, retry, timeout, affinity, begun, broker);
  }

  /** Adds a header. */
  public Request withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Request(
        method, route, path, query, more, body, retry, timeout, affinity, begun, broker);
  }

  /** JSON as bytes, which the caller does not change any more. */
  public Request withBody(byte[] json) {
    return new Request(
        method, route, path, query, headers, json, retry, timeout, affinity, begun, broker);
  }

  /** JSON as a tree. */
  public Request withBody(JsonNode json) {
    return withBody(json.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Whether it may be sent a second time. */
  public Request withRetry(Retry next) {
    return new Request(
        method, route, path, query, headers, body, next, timeout, affinity, begun, broker);
  }

  /** How long one attempt may take, in place of the client's request timeout. */
  public Request withTimeout(Duration next) {
    return new Request(
        method, route, path, query, headers, body, retry, next, affinity, begun, broker);
  }

  /** Requests with the same key go to the same broker, if the client routes by affinity. */
  public Request withAffinity(String key) {
    return new Request(
        method, route, path, query, headers, body, retry, timeout, key, begun, broker);
  }

  /**
   * When the caller began to wait, as {@link System#nanoTime} counts. The time for retries runs
   * from then on. Without it, it runs from the sending.
   */
  public Request withBegun(long nanos) {
    return new Request(
        method, route, path, query, headers, body, retry, timeout, affinity, nanos, broker);
  }

  /** Goes where the first request went that was given the same, whatever its key says. */
  public Request at(ChosenBroker same) {
    return new Request(
        method, route, path, query, headers, body, retry, timeout, affinity, begun, same);
  }

  /** The key for {@link #withAffinity}: the same as that of the clients in other languages. */
  public static String affinityKey(
      String queue, @Nullable String partition, @Nullable String group) {
    return queue
        + ":"
        + (partition == null ? "*" : partition)
        + ":"
        + (group == null ? "__QUEUE_MODE__" : group);
  }

  String method() {
    return method;
  }

  /** The path with {@code {}} in place of names. */
  String route() {
    return route;
  }

  /** Path and query, encoded. */
  String target() {
    StringBuilder target = new StringBuilder(path);
    char separator = '?';
    for (Map.Entry<String, String> each : query.entrySet()) {
      target
          .append(separator)
          .append(encode(each.getKey()))
          .append('=')
          .append(encode(each.getValue()));
      separator = '&';
    }
    return target.toString();
  }

  Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }

  byte @Nullable [] body() {
    return body;
  }

  Retry retry() {
    return retry;
  }

  @Nullable Duration timeout() {
    return timeout;
  }

  @Nullable String affinity() {
    return affinity;
  }

  @Nullable Long begun() {
    return begun;
  }

  @Nullable ChosenBroker broker() {
    return broker;
  }

  @Override
  public String toString() {
    return method + " " + target();
  }
}
