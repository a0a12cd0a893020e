package dev.queenmq.server.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test that asks for a {@link TestDatabase} a fresh one, with our schema unless it must be
 * {@link Empty}. The server starts with the first such test of a run and stops with the run.
 */
public final class PostgresExtension implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestDatabase.class;
  }

  @Override
  public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
    SharedPostgres postgres =
        context
            .getRoot()
            .getStore(Namespace.GLOBAL)
            .computeIfAbsent(
                SharedPostgres.class, key -> SharedPostgres.start(), SharedPostgres.class);
    return parameter.isAnnotated(Empty.class) ? postgres.emptyDatabase() : postgres.freshDatabase();
  }
}
