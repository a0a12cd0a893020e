package dev.queenmq.client.testing;

import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the {@link TestBroker} or {@link TestPostgres} of this run. All classes share them:
 * use queue names of your own.
 */
public final class BrokerExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(BrokerExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestBroker.class || type == TestPostgres.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE);
    TestPostgres postgres =
        store.computeIfAbsent(TestPostgres.class, key -> TestPostgres.start(), TestPostgres.class);
    if (parameter.getParameter().getType() == TestPostgres.class) {
      return postgres;
    }
    return store.computeIfAbsent(
        TestBroker.class,
        key -> TestBroker.start(postgres.environment("shared", Map.of())),
        TestBroker.class);
  }
}
