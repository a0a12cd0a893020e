package dev.queenmq.server.broker;

import java.util.List;

/**
 * What a broker has done and is doing, summed over its sidecars.
 *
 * @param operations one for each kind
 * @param waitingPolls polls that wait now
 * @param sidecars how many there are, one on each event loop
 * @param waitGroups groups (queue, partition, consumer group) that polls wait in
 * @param inFlightGroups those of them for which PostgreSQL is being asked
 * @param backedOffGroups those of them that are looked at less often
 * @param backedOffQueues that these are of
 * @param averageBackoffMillis mean interval of all groups
 * @param slots connections to PostgreSQL that there may be
 * @param idleSlots of them, those that carry no statement, connected yet or not
 * @param databaseErrors calls that PostgreSQL did not carry out
 * @param requests of clients, one for each kind
 * @param delivery from push to pop by PostgreSQL's clock, microseconds, of each message
 * @param loopDelay by which event loops run late, microseconds
 */
public record SidecarFigures(
    List<OperationFigures> operations,
    int waitingPolls,
    int sidecars,
    int waitGroups,
    int inFlightGroups,
    int backedOffGroups,
    int backedOffQueues,
    double averageBackoffMillis,
    int slots,
    int idleSlots,
    long databaseErrors,
    List<RequestFigures> requests,
    Distribution delivery,
    Distribution loopDelay) {

  /**
   * The requests of clients of one kind.
   *
   * @param name as that of the operation
   * @param duration from request to answer, microseconds; the wait of a poll is part of it
   * @param items messages or acks in a request
   */
  public record RequestFigures(String name, Distribution duration, Distribution items) {}

  /**
   * One kind of operation.
   *
   * @param name push, pop, ack, transaction, cycle, renew
   * @param requests answered since the start
   * @param items messages or acks in them; of pops, the messages that were handed out
   * @param calls of the store that carried them
   * @param failures requests that were answered with an error
   * @param pending requests that wait for a slot now
   * @param latency from request to answer, microseconds
   * @param batch requests per call; of pops, the polls of clients that a call was for
   */
  public record OperationFigures(
      String name,
      long requests,
      long items,
      long calls,
      long failures,
      int pending,
      Distribution latency,
      Distribution batch) {}

  /**
   * Counts below bounds, as Prometheus histograms have them.
   *
   * @param bounds upper bounds, ascending
   * @param counts values at or below each bound; one more than bounds, the last is all
   */
  public record Distribution(List<Long> bounds, List<Long> counts, double sum) {}
}
