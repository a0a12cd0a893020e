package dev.queenmq.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class the {@linkplain EmbeddedQueen#shared() shared} broker, and keeps them
 * apart. For JUnit 5 and 6.
 *
 * <pre>{@code
 * @QueenTest
 * class OrdersTest {
 *   @Test
 *   void order_isStored(QueenClient client) {
 *     client.queue("orders").push(new Order(17, "tea"));
 *     assertThatQueue("orders").hasDepth(1);
 *   }
 * }
 * }</pre>
 *
 * <p>Constructors, lifecycle methods and tests may have parameters of the types {@link
 * EmbeddedQueen} and {@link dev.queenmq.client.QueenClient}, and a {@code String} with {@link
 * QueuePrefix}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(QueenExtension.class)
public @interface QueenTest {

  /**
   * How tests are kept apart.
   *
   * @return by a reset, unless you say otherwise
   */
  Isolation isolation() default Isolation.RESET;

  /** How tests on one broker are kept apart. */
  enum Isolation {
    /**
     * The broker is empty when a test begins, so that queues may have any name. No other test of
     * this extension runs meanwhile, also where JUnit runs tests in parallel.
     */
    RESET,

    /**
     * Tests run beside each other, and use only queues that begin with their {@link QueuePrefix}.
     * These are removed after the test. Such tests should not move the clock, which is the
     * broker's.
     */
    PREFIX
  }
}
