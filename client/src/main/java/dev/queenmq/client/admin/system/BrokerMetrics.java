package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * The figures of one broker since its start.
 *
 * @param uptime seconds since its start
 * @param requests of clients
 * @param messages pushed and delivered
 * @param database connections
 * @param memory of the process
 * @param cpu of the process
 * @param sidecar what is carried to PostgreSQL
 */
public record BrokerMetrics(
    long uptime,
    Count requests,
    Count messages,
    Database database,
    Memory memory,
    Cpu cpu,
    Sidecar sidecar) {

  /**
   * A counter.
   *
   * @param total since the start
   * @param rate per second, over the last five minutes
   */
  public record Count(long total, double rate) {}

  /**
   * Connections to PostgreSQL that carry messages.
   *
   * @param poolSize how many there may be
   * @param idleConnections how many are free
   * @param waitingRequests that wait for one
   */
  public record Database(int poolSize, int idleConnections, int waitingRequests) {}

  /**
   * Memory in bytes.
   *
   * @param rss of the process
   * @param heapTotal of the JVM, committed
   * @param heapUsed of the JVM, in use
   * @param external of the JVM, outside the heap
   * @param arrayBuffers direct buffers
   */
  public record Memory(long rss, long heapTotal, long heapUsed, long external, long arrayBuffers) {}

  /**
   * CPU time in microseconds.
   *
   * @param user in the code of the broker
   * @param system in the kernel for it
   */
  public record Cpu(long user, long system) {}

  /**
   * What is carried to PostgreSQL.
   *
   * @param waitingPolls polls that wait for messages
   * @param localSidecars how many event loops carry
   * @param groupBackoff groups of polls
   * @param operations by name: {@code push}, {@code pop}, {@code ack} and others
   */
  public record Sidecar(
      @JsonProperty("waiting_polls") int waitingPolls,
      @JsonProperty("local_sidecars") int localSidecars,
      @JsonProperty("group_backoff") GroupBackoff groupBackoff,
      Map<String, Operation> operations) {}

  /**
   * Groups of polls that wait for the same.
   *
   * @param tracked all
   * @param inFlight those that ask PostgreSQL now
   * @param backedOff those that ask less often
   */
  public record GroupBackoff(
      @JsonProperty("groups_tracked") int tracked,
      @JsonProperty("groups_in_flight") int inFlight,
      @JsonProperty("groups_backed_off") int backedOff) {}

  /**
   * An operation.
   *
   * @param requests of clients
   * @param calls of PostgreSQL that carried them
   * @param perCall requests of a call, in the mean
   * @param items messages or acks
   * @param failures calls that failed
   * @param pending requests that wait
   */
  public record Operation(
      long requests,
      long calls,
      @JsonProperty("per_call") double perCall,
      long items,
      long failures,
      int pending) {}
}
