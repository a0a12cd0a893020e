package dev.queenmq.server.store;

/** A partition as producers name it. */
record PartitionName(String queue, String partition) {}
