package dev.queenmq.server.config;

/**
 * How often an empty queue that polls wait for is looked at.
 *
 * @param initialMillis between the first looks
 * @param threshold looks that find nothing before the interval grows
 * @param multiplier by which it grows with each further one
 * @param maxMillis to which it grows
 */
public record BackoffConfig(long initialMillis, int threshold, double multiplier, long maxMillis) {}
