package dev.queenmq.server.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Where the HTTP server listens, and how much it takes.
 *
 * @param port 0 means any free one
 * @param maxHeaderBytes of all headers of a request together
 * @param maxBodyBytes of a request
 * @param maxJsonDepth objects and arrays in each other
 * @param maxItemsPerRequest messages, verdicts or operations
 * @param maxMemoryBytes heap that all requests may hold together, with their answers
 * @param drain how long the server goes on after it was told to stop, while it says that it is not
 *     ready
 * @param protection against strangers
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
    ProtectionConfig protection) {

  /** With the default limits, for tools and tests that read no environment. */
  public HttpConfig(String host, int port) {
    this(host, port, defaults());
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
        limits.protection);
  }

  /** The same at another address. */
  public HttpConfig at(String otherHost, int otherPort) {
    return new HttpConfig(otherHost, otherPort, this);
  }

  private static HttpConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).http();
  }
}
