package dev.queenmq.server.store;

/** A partition as producers name it. */
record PartitionName(String queue, String partition) {
  boolean is(String otherQueue, String otherPartition) {
    return partition.equals(otherPartition) && queue.equals(otherQueue);
  }
}
