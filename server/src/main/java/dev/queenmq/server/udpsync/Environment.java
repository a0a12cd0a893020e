package dev.queenmq.server.udpsync;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a transport gets from the machine.
 *
 * @param nanoClock never goes back
 * @param milliClock since 1970
 * @param random cannot be guessed
 * @param lookup of names
 */
record Environment(
    LongSupplier nanoClock, LongSupplier milliClock, RandomGenerator random, NameLookup lookup) {

  /** That of this machine, with these clocks. */
  static Environment system(InstantSource clock, LongSupplier nanoTime) {
    return new Environment(nanoTime, clock::millis, new SecureRandom(), NameLookup.system());
  }
}
