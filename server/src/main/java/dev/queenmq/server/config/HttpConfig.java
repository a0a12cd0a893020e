package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.bytes;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;
import static dev.queenmq.server.config.Setting.text;

import java.time.Duration;

/**
 * Where the HTTP server listens, and how much it takes.
 *
 * @param port 0 means any free one
 * @param maxHeaderBytes of all headers of a request together
 * @param maxBodyBytes of a request
 * @param maxJsonDepth objects and arrays in each other
 * @param maxItemsPerRequest messages, acks or operations
 * @param maxMemoryBytes heap that all requests may hold together, with their answers
 * @param drain how long the broker serves requests after the signal to stop, while it reports that
 *     it is not ready
 * @param warmUp how long the broker sends messages through itself before the port opens
 * @param protection of the port
 */
public record HttpConfig(
    String host,
    int port,
    int maxHeaderBytes,
    int maxBodyBytes,
    int maxJsonDepth,
    int maxItemsPerRequest,
    long maxMemoryBytes,
    Duration drain,
    Duration warmUp,
    ProtectionConfig protection) {
  static final Setting<Integer> PORT =
      number("PORT", 6632, 0, 65_535, "HTTP port; 0 takes any free one. Flag: `--port`.");
  static final Setting<String> HOST =
      text("HOST", "0.0.0.0", "Address that the HTTP server binds to. Flag: `--host`.");
  static final Setting<Integer> UWS_HTTP_MAX_HEADERS_SIZE =
      number(
          "UWS_HTTP_MAX_HEADERS_SIZE",
          16_384,
          1_024,
          1 << 20,
          "Limit of all headers of a request together, in bytes.");
  static final Setting<Integer> QUEEN_MAX_BODY_BYTES =
      number(
          "QUEEN_MAX_BODY_BYTES",
          64 << 20,
          1_024,
          1 << 30,
          "Limit of the body of a request, in bytes.");
  static final Setting<Integer> QUEEN_MAX_JSON_DEPTH =
      number(
          "QUEEN_MAX_JSON_DEPTH", 512, 8, 10_000, "Limit of objects and arrays within each other.");
  static final Setting<Integer> QUEEN_MAX_ITEMS_PER_REQUEST =
      number(
          "QUEEN_MAX_ITEMS_PER_REQUEST",
          10_000,
          1,
          1_000_000,
          "Limit of messages, acknowledgements or operations in one request.");
  static final Setting<Long> QUEEN_MAX_MEMORY_BYTES =
      bytes(
              "QUEEN_MAX_MEMORY_BYTES",
              "",
              1L << 20,
              1L << 40,
              "Bytes of heap that all requests together may hold: bodies and the messages read"
                  + " from them, answers until they are read, pages for operators. Each of"
                  + " their bytes counts as three. Further requests are answered 503, and pops"
                  + " wait.")
          .otherwise("half of the heap");
  static final Setting<Duration> QUEEN_DRAIN_MS =
      millis(
          "QUEEN_DRAIN_MS",
          0,
          0,
          600_000,
          "After SIGTERM or SIGINT, how long the broker still serves requests while `/health`,"
              + " `/health/ready` and `/health/accepting` answer 503, in milliseconds. Then the port"
              + " closes. Set it to more than your load balancer takes to notice.");

  static final Setting<Duration> QUEEN_WARM_UP_MS =
      millis(
          "QUEEN_WARM_UP_MS",
          0,
          0,
          60_000,
          "How long the broker sends messages through itself before it opens its port, in"
              + " milliseconds, so that its first requests are faster. Nothing of it stays in the"
              + " database.");

  static HttpConfig read(SettingsReader reader) {
    return new HttpConfig(
        reader.value(HOST),
        reader.value(PORT),
        reader.value(UWS_HTTP_MAX_HEADERS_SIZE),
        reader.value(QUEEN_MAX_BODY_BYTES),
        reader.value(QUEEN_MAX_JSON_DEPTH),
        reader.value(QUEEN_MAX_ITEMS_PER_REQUEST),
        reader.optional(QUEEN_MAX_MEMORY_BYTES).orElseGet(reader.machine()::requestBytes),
        reader.value(QUEEN_DRAIN_MS),
        reader.value(QUEEN_WARM_UP_MS),
        ProtectionConfig.read(reader));
  }

  /** With the default limits, for tools and tests that read no environment. */
  public HttpConfig(String host, int port) {
    this(host, port, read(SettingsReader.defaults()));
  }

  private HttpConfig(String host, int port, HttpConfig limits) {
    this(
        host,
        port,
        limits.maxHeaderBytes,
        limits.maxBodyBytes,
        limits.maxJsonDepth,
        limits.maxItemsPerRequest,
        limits.maxMemoryBytes,
        limits.drain,
        limits.warmUp,
        limits.protection);
  }

  /** The same at another address. */
  public HttpConfig at(String otherHost, int otherPort) {
    return new HttpConfig(otherHost, otherPort, this);
  }
}
