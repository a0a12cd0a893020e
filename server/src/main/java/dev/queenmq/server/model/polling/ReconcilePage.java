package dev.queenmq.server.model.polling;

import java.util.List;
import java.util.Optional;

/**
 * A page of the full look at a queue for a group, oldest waiting first.
 *
 * @param next where the next page starts; empty when this was the last
 */
public record ReconcilePage(List<ReadyPartition> ready, Optional<String> next) {}
