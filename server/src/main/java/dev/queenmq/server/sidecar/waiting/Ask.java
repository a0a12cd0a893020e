package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PopRequest;
import java.util.List;
import java.util.UUID;

/**
 * The part of a {@link Question} that is on behalf of one poll.
 *
 * @param candidates the partitions that it is about
 */
record Ask(Waiter waiter, PopRequest request, List<UUID> candidates) {}
