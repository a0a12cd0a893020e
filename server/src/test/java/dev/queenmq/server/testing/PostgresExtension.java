package dev.queenmq.server.testing;

import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test that asks for a {@link TestDatabase} a fresh one, with our schema unless it must be
 * {@link Empty}. All classes of a JVM share one server: it starts with the first such test and
 * stops after the last. A database is dropped with the test, or the class, that it was made for.
 */
public final class PostgresExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestDatabase.class;
  }

  @Override
  public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
    SharedPostgres postgres =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
            .computeIfAbsent(
                SharedPostgres.class, key -> SharedPostgres.start(), SharedPostgres.class);
    TestDatabase database =
        parameter.isAnnotated(Empty.class) ? postgres.emptyDatabase() : postgres.freshDatabase();
    AutoCloseable dropped = () -> postgres.drop(database);
    context.getStore(NAMESPACE).put(UUID.randomUUID(), dropped);
    return database;
  }
}
