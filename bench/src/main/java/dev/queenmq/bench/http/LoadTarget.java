package dev.queenmq.bench.http;

/**
 * A system that takes and delivers messages, while it runs, and the plan by which it is measured.
 * Measurements know nothing else about it, so that all systems do the same work.
 */
public interface LoadTarget {
  /** How to measure. */
  Plan plan();

  /** This number of connections, spread over all event loops. */
  Connections connect(int connections);

  /**
   * Up to this number of connections on one event loop. Its only producer sends without waiting for
   * answers; a protocol that pipelines may do with a single connection.
   */
  Connections connectOnOneLoop(int connections);

  /** A window over this meter, and over what the system's processes use. */
  Window window(Meter meter, String title);

  /** The name of a queue that is new and empty, with this number of partitions. */
  String newQueue(String name, int partitions);

  /** Says that a queue is no longer needed; nothing is connected to it any more. */
  void release(String queue);
}
