package dev.queenmq.server.store.call;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Moments as PostgreSQL counts them. */
public final class Micros {
  private Micros() {}

  public static long of(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }
}
