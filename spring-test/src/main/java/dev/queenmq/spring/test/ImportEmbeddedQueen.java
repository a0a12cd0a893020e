package dev.queenmq.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Connects the application under test to a real broker with a real PostgreSQL, which run in the JVM
 * of the test. They start with the first context that needs them and are shared by all contexts of
 * the run. The properties {@code queen.urls}, {@code queen.token} and {@code queen.ssl.bundle} have
 * no effect.
 *
 * <pre>{@code
 * @SpringBootTest
 * @ImportEmbeddedQueen
 * class OrdersTest {
 *   @Autowired QueenTemplate queen;
 * }
 * }</pre>
 *
 * <p>The broker is a bean of type {@code EmbeddedQueen}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(EmbeddedQueenConfiguration.class)
public @interface ImportEmbeddedQueen {}
