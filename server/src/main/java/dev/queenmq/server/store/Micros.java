package dev.queenmq.server.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Moments as PostgreSQL counts them. */
final class Micros {
  private Micros() {}

  static long of(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }
}
