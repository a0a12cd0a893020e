package dev.queenmq.bench.torture;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Something that can happen to the deployment, and how it ends.
 *
 * @param name on the command line
 * @param text for people
 * @param shortest how long it lasts at least
 * @param longest and at most
 * @param skipped why this environment does not allow it; empty if it does
 */
record Fault(
    String name,
    String text,
    Duration shortest,
    Duration longest,
    Optional<String> skipped,
    Injection injection) {

  /** Makes it happen; what it answers ends it. */
  @FunctionalInterface
  interface Injection {
    Healing inject(RandomGenerator random);
  }

  /** Ends a fault; its time is part of the recovery. */
  @FunctionalInterface
  interface Healing {
    void heal();

    /** Looks, after the recovery, at what it has led to. */
    default void check() {}
  }

  /** The end of hostile clients, which attack one broker until then. */
  interface Attack extends Healing {
    /** The name of that broker. */
    String broker();

    /** How often each status was the answer to them. */
    Map<Integer, Long> answers();
  }

  /** One that this environment allows. */
  static Fault of(String name, String text, double shortest, double longest, Injection injection) {
    return new Fault(name, text, seconds(shortest), seconds(longest), Optional.empty(), injection);
  }

  /** One that needs something; empty means that it is there. */
  Fault unless(Optional<String> missing) {
    return new Fault(name, text, shortest, longest, missing, injection);
  }

  /** How long this time. */
  Duration length(RandomGenerator random) {
    return shortest.plusNanos((long) (random.nextDouble() * longest.minus(shortest).toNanos()));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
