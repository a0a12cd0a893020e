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
    String queues) {}
