package dev.queenmq.dashboard;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One broker with data and one browser for all tests. Without a Chromium the tests are skipped, and
 * say so; where everything must be tested they fail instead.
 */
final class DashboardExtension implements ExecutionCondition, BeforeAllCallback, ParameterResolver {
  private static final String MISSING =
      "No Chromium with a chromedriver was found (Debian: chromium, chromium-driver): the dashboard"
          + " is not tested.";

  /** What tests share; closed at the end of all of them. */
  record Shared(Broker broker, Browser browser, Data data) implements AutoCloseable {
    static Shared start() {
      try {
        Broker broker =
            Broker.start(
                Map.of(
                    "METRICS_AGGREGATE_INTERVAL_S", "1",
                    "STATS_INTERVAL_MS", "1000",
                    "WORKER_ID", "queen-1"));
        try {
          Data data = new Data(broker);
          data.make();
          return new Shared(broker, Browser.start(broker.url()), data);
        } catch (IOException | RuntimeException | Error e) {
          broker.close();
          throw e;
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() throws IOException {
      data.close();
      browser.close();
      broker.close();
    }
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Browser.installed().isPresent()) {
      return ConditionEvaluationResult.enabled("there is a Chromium");
    }
    if (System.getenv("CI") != null) {
      throw new IllegalStateException(MISSING);
    }
    System.out.println(MISSING);
    return ConditionEvaluationResult.disabled(MISSING);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    shared(context);
  }

  private static Shared shared(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.GLOBAL)
        .computeIfAbsent(Shared.class, start -> Shared.start(), Shared.class);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Shared.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return shared(context);
  }
}
