package dev.queenmq.server.model.streams;

import java.util.Optional;

/**
 * A query that stream processors run.
 *
 * @param name by which they find it again
 * @param configHash says what the query does; its state belongs to that
 * @param reset another configuration is wanted, and the state of the one before may go
 */
public record StreamQuery(
    String name,
    String sourceQueue,
    Optional<String> sinkQueue,
    String configHash,
    boolean reset) {}
