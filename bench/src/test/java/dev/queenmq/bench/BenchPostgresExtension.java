package dev.queenmq.bench;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test that asks for a {@link BenchPostgres} the one of this run, which starts with the
 * first such test and serves all classes. {@code -Dqueen.test.pg.bin=DIR} runs the tests on another
 * installation.
 */
public final class BenchPostgresExtension implements ParameterResolver {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Unpacked by the tests of that module, as a rule. */
  private static final Path BINARIES =
      Path.of("../embedded-postgres/target/postgres-binaries").toAbsolutePath().normalize();

  /** Several classes use it at a time. */
  private static final Map<String, String> MANY_TESTS = Map.of("max_connections", "200");

  /** The options that tests use. */
  public static PostgresOptions options() {
    return new PostgresOptions(
        Optional.ofNullable(System.getProperty("queen.test.pg.bin")).map(Path::of),
        Optional.of(BINARIES),
        Optional.of(TARGET));
  }

  /** Its programs, for brokers that would unpack them again otherwise, which takes seconds. */
  public static String bin(BenchPostgres postgres) {
    return postgres
        .database("postgres")
        .text("select setting from pg_config where name = 'BINDIR'");
  }

  /** Where PostgreSQL is unpacked for tests. */
  public static Path binaries() {
    return BINARIES;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == BenchPostgres.class;
  }

  @Override
  public BenchPostgres resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(BenchPostgresExtension.class))
        .computeIfAbsent(
            BenchPostgres.class,
            key -> BenchPostgres.start(options(), MANY_TESTS),
            BenchPostgres.class);
  }
}
