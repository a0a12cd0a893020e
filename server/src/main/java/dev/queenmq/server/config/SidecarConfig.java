package dev.queenmq.server.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How requests are gathered into calls of PostgreSQL, and how many may wait.
 *
 * @param workers event loops, each with a sidecar of its own
 * @param slots connections for messages, of all workers together
 * @param maxItemsPerCall messages or verdicts that one call carries
 * @param maxBytesPerCall of payload that one call carries; a larger message goes alone
 * @param microBatchWait how long a request may wait for company although a slot is free
 * @param maxPendingItems of one sidecar; beyond, requests are refused
 * @param maxPendingBytes of payload, of all sidecars together; beyond, requests are refused
 * @param maxWaiting polls that may wait at once
 * @param inflightDeadline after which a call without an answer is given up
 */
public record SidecarConfig(
    int workers,
    int slots,
    int maxItemsPerCall,
    int maxBytesPerCall,
    Duration microBatchWait,
    int maxPendingItems,
    long maxPendingBytes,
    int maxWaiting,
    Duration inflightDeadline) {

  /** The defaults on this machine, for tools and tests that read no environment. */
  public static SidecarConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).sidecar();
  }
}
