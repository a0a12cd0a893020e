package dev.queenmq.client.admin.streams;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A query of a stream processor, to be registered.
 *
 * @param name under which it is known
 * @param sourceQueue that it reads; for people to look at
 * @param sinkQueue that it pushes to; for people to look at
 * @param configHash changes when its state no longer fits its code
 * @param reset whether to drop its state if the hash has changed
 */
public record StreamQuery(
    String name,
    @JsonProperty("source_queue") String sourceQueue,
    @JsonProperty("sink_queue") @Nullable String sinkQueue,
    @JsonProperty("config_hash") String configHash,
    boolean reset) {

  /**
   * A query without a sink that keeps its state.
   *
   * @param name under which it is known
   * @param sourceQueue that it reads
   * @param configHash changes when its state no longer fits its code
   * @return the query
   */
  public static StreamQuery of(String name, String sourceQueue, String configHash) {
    return new StreamQuery(name, sourceQueue, null, configHash, false);
  }
}
