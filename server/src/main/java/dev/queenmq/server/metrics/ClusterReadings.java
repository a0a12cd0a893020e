package dev.queenmq.server.metrics;

import java.util.List;

/**
 * What PostgreSQL knows of all brokers together, as of the last minutes.
 *
 * @param totals since the first broker started
 * @param queues in the last minute that was written down
 * @param queuesLeftOut beyond the limit of series
 * @param workers likewise
 * @param pending of groups, as last summed up
 * @param pendingLeftOut beyond the limit of series
 * @param deadByQueue dead letters of queues that have any
 * @param dead letters of all queues
 * @param statsAgeSeconds since that was summed up; negative if never
 */
public record ClusterReadings(
    Totals totals,
    List<Queue> queues,
    long queuesLeftOut,
    List<Worker> workers,
    List<Pending> pending,
    long pendingLeftOut,
    List<Dead> deadByQueue,
    long dead,
    double statsAgeSeconds) {

  /** Since the first broker started. */
  public record Totals(
      long pushRequests,
      long popRequests,
      long ackRequests,
      long transactions,
      long pushMessages,
      long popMessages,
      long ackSuccess,
      long ackFailed,
      long deadLetters,
      long databaseErrors) {}

  /** A queue in a minute. */
  public record Queue(
      String name,
      long pushRequests,
      long pushMessages,
      long popMessages,
      long popEmpty,
      long ackSuccess,
      long ackFailed,
      long transactions,
      long parked,
      double averageLagMillis,
      long maxLagMillis,
      double ageSeconds) {}

  /** An event loop in a minute. */
  public record Worker(
      String hostname,
      int number,
      long pid,
      long pushRequests,
      long popRequests,
      long ackRequests,
      long transactions,
      long pushMessages,
      long popMessages,
      long ackSuccess,
      long ackFailed,
      long deadLetters,
      long databaseErrors,
      long jobsDone,
      double averageLagMillis,
      long maxLagMillis,
      double averageLoopDelayMillis,
      double maxLoopDelayMillis,
      double averageFreeSlots,
      long minFreeSlots,
      double averageJobQueue,
      long maxJobQueue,
      int connections,
      int backoffSize,
      double ageSeconds) {}

  /** What a group has not done in a queue. */
  public record Pending(String queue, String group, long messages, double oldestSeconds) {}

  /** Dead letters of a queue. */
  public record Dead(String queue, long messages) {}
}
