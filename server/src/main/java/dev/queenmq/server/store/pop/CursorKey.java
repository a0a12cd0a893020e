package dev.queenmq.server.store.pop;

import java.util.UUID;

/** Names a cursor: a group in a partition. */
record CursorKey(UUID partitionId, String group) {}
