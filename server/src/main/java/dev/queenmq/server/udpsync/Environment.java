package dev.queenmq.server.udpsync;

import java.security.SecureRandom;
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

  static Environment system() {
    return new Environment(
        System::nanoTime, System::currentTimeMillis, new SecureRandom(), NameLookup.system());
  }
}
