package dev.queenmq.embedded;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.slf4j.LoggerFactory;

/**
 * What holds for all tests of a run; JUnit finds it by itself. Events are waited for long enough
 * that a busy machine does not fail a test: a test that passes does not wait for the limit.
 */
public final class SuiteExtension implements BeforeAllCallback {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration INTERVAL = Duration.ofMillis(20);

  /** Before any class runs: logging is set up by one thread, and prints nothing about others. */
  public SuiteExtension() {
    LoggerFactory.getILoggerFactory();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SuiteExtension.class))
        .computeIfAbsent(
            SuiteExtension.class,
            key -> {
              Awaitility.setDefaultTimeout(LIMIT);
              Awaitility.setDefaultPollDelay(Duration.ZERO);
              Awaitility.setDefaultPollInterval(INTERVAL);
              return true;
            });
  }
}
