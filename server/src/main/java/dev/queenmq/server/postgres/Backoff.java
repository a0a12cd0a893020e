package dev.queenmq.server.postgres;

import java.util.random.RandomGenerator;

/**
 * Pauses between attempts: doubling up to a ceiling, and spread, so that brokers that failed
 * together do not come back together.
 */
public record Backoff(long firstMillis, long longestMillis, RandomGenerator random) {

  private static final int DOUBLINGS = 20;

  /**
   * The pause after an attempt.
   *
   * @param attempt counted from 0
   */
  public long pauseMillis(int attempt) {
    long ceiling = Math.min(longestMillis, firstMillis << Math.min(attempt, DOUBLINGS));
    return ceiling / 2 + random.nextLong(ceiling / 2 + 1);
  }
}
