package dev.queenmq.server.metrics;

import java.util.Map;

/**
 * Whom the broker has turned away since its start.
 *
 * @param errors answers by their status, from 400 on
 * @param refusedConnections that were one too many, of all or of an address
 */
public record HttpFigures(Map<Integer, Long> errors, long refusedConnections) {

  /** Nobody yet. */
  public static HttpFigures none() {
    return new HttpFigures(Map.of(), 0);
  }
}
