package dev.queenmq.bench;

/**
 * Seeds of tests that choose at random: another one in each run, printed, so that {@code
 * -Dqueen.audit.seed=S} repeats the choices.
 */
public final class TestSeed {

  private TestSeed() {}

  /** The seed of this test. */
  public static long of(Class<?> test) {
    long seed = Long.getLong("queen.audit.seed", System.nanoTime());
    System.out.printf("%s: -Dqueen.audit.seed=%d%n", test.getSimpleName(), seed);
    return seed;
  }
}
