package dev.queenmq.server.store;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * One look at the tail: which partitions got messages since the look before.
 *
 * @param bookmark pass it to the next look
 * @param now the time by the clock of the database
 */
public record TailLook(String bookmark, List<UUID> partitionIds, Instant now) {}
