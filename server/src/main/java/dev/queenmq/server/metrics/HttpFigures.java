package dev.queenmq.server.metrics;

import dev.queenmq.server.memory.MemoryFigures;
import java.util.Map;

/**
 * What the broker has rejected since its start.
 *
 * @param errors answers by their status, from 400 on
 * @param refusedConnections that were one too many, of all or of an address
 * @param memory that requests hold
 */
public record HttpFigures(
    Map<Integer, Long> errors, long refusedConnections, MemoryFigures memory) {

  /** Nothing yet. */
  public static HttpFigures none() {
    return new HttpFigures(Map.of(), 0, MemoryFigures.none());
  }

  /** The same with what requests hold. */
  public HttpFigures with(MemoryFigures held) {
    return new HttpFigures(errors, refusedConnections, held);
  }
}
