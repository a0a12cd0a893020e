package dev.queenmq.bench.http;

import java.time.Duration;
import java.util.Optional;

/**
 * How a run measures.
 *
 * @param length of each measurement
 * @param warmUp before each, which does not count
 * @param threads event loops that make the load
 * @param connections instead of each measurement's own number
 * @param rate messages per second, sent whatever comes back; else as fast as answers come
 * @param spread whether the messages of one push go to different partitions
 * @param payload bytes of each message's payload
 * @param queues what all names of queues begin with
 */
public record Plan(
    Duration length,
    Duration warmUp,
    int threads,
    Optional<Integer> connections,
    Optional<Double> rate,
    boolean spread,
    int payload,
    String queues) {
  private static final int WARM_UP_SHARE = 4;
  private static final int PAYLOAD_BYTES = 256;

  /** A name that no other run has. */
  public static String newName(String prefix) {
    return prefix + "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
  }

  /** As fast as answers come, on one event loop, with larger payloads. */
  public static Plan plain(Duration length, int connections, String name) {
    return new Plan(
        length,
        length.dividedBy(WARM_UP_SHARE),
        1,
        Optional.of(connections),
        Optional.empty(),
        false,
        PAYLOAD_BYTES,
        newName(name));
  }
}
