package dev.queenmq.bench.audit;

import java.time.Duration;

/**
 * How the clients of an audit behave.
 *
 * @param rate messages a second that all producers push together; 0: each as fast as it is
 *     answered, with every kind of misbehaviour
 * @param choosing which broker a client asks, where there are several
 * @param copying there is one more group, which answers in transactions that copy what they ack to
 *     a second queue
 * @param retryLimit of the queue
 * @param poisonEvery one in this many messages fails whenever it is tried; 0: none
 * @param unknownPerMille how many pushes in a thousand are given up without an answer
 * @param patience for how long an answer is awaited
 * @param drain for how long what is left is consumed in the end, at most
 * @param silence after how long without a delivery no more are expected
 */
public record ClientBehaviour(
    double rate,
    Choosing choosing,
    boolean copying,
    int retryLimit,
    int poisonEvery,
    int unknownPerMille,
    Duration patience,
    Duration drain,
    Duration silence,
    Chances chances) {

  /**
   * More leases than run out in a row, even where everything is slow: messages that become dead
   * letters for that reason do so without an ack.
   */
  private static final int ENDLESS = 1000;

  /**
   * What clients do, and how often in a thousand times; else consumers acknowledge their batch.
   *
   * @param cutPush of pushes: cut while they are sent, or before their answer
   * @param repeatPush of pushes: said once more, though they were answered
   * @param restless of pops: from a partition of their choice, or cut while they wait
   * @param die they cut the connection and say nothing
   * @param cut they cut the connection while they acknowledge
   * @param late they acknowledge when the lease has run out
   * @param some they acknowledge a part of it and forget the rest
   * @param mixed they give bad acks
   * @param extend they extend the lease, and acknowledge when it would have run out without that
   * @param loose they acknowledge without naming the lease, whoever holds it by then
   */
  public record Chances(
      int cutPush,
      int repeatPush,
      int restless,
      int die,
      int cut,
      int late,
      int some,
      int mixed,
      int extend,
      int loose) {}

  /** Which broker a client asks. After trouble it is another one, for a while. */
  public enum Choosing {
    /** Any, and the same until there is trouble. */
    STICKY,
    /** One of its own, to which the client goes back after trouble. */
    AT_HOME,
    /** Any, chosen for each request: what one broker has given is acked at another. */
    RANDOM
  }

  /** Clients that send as fast as they can and misbehave in every way. */
  public static ClientBehaviour restless() {
    return restless(Choosing.RANDOM);
  }

  /** The same at these brokers. */
  public static ClientBehaviour restless(Choosing choosing) {
    return new ClientBehaviour(
        0,
        choosing,
        false,
        ENDLESS,
        0,
        0,
        Duration.ofSeconds(30),
        Duration.ofMinutes(10),
        Duration.ofSeconds(30),
        new Chances(150, 50, 150, 80, 60, 30, 70, 140, 40, 0));
  }

  /** Through the Java client, which cuts nothing by itself; one group answers in transactions. */
  public static ClientBehaviour throughClient() {
    return new ClientBehaviour(
        0,
        Choosing.RANDOM,
        true,
        ENDLESS,
        0,
        0,
        Duration.ofSeconds(30),
        Duration.ofMinutes(10),
        Duration.ofSeconds(30),
        // Of handlers: they work for longer than a lease, and they fail in the middle of a batch.
        new Chances(0, 50, 20, 0, 0, 10, 0, 60, 0, 0));
  }

  /** Straight at the store, where there is no connection to cut. */
  static ClientBehaviour atStore() {
    return new ClientBehaviour(
        0,
        Choosing.RANDOM,
        true,
        3,
        0,
        0,
        Duration.ofSeconds(30),
        Duration.ofSeconds(90),
        Duration.ofSeconds(90),
        new Chances(0, 50, 0, 60, 0, 40, 80, 120, 60, 40));
  }

  /** At a steady rate, mostly well-behaved, with transactions and poison. */
  public static ClientBehaviour steady(double rate) {
    return new ClientBehaviour(
        rate,
        Choosing.AT_HOME,
        true,
        3,
        997,
        5,
        Duration.ofSeconds(10),
        Duration.ofMinutes(10),
        Duration.ofSeconds(30),
        new Chances(0, 0, 10, 3, 3, 3, 3, 30, 3, 0));
  }
}
