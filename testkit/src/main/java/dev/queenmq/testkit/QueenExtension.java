package dev.queenmq.testkit;

import dev.queenmq.client.QueenClient;
import dev.queenmq.testkit.QueenTest.Isolation;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What {@link QueenTest} does. Uses only what JUnit 5 and 6 have in common.
 *
 * <p>Tests that need the broker for themselves take all permits, the others one each. The lock is
 * static because the broker is one for the whole process, however many instances of the extension
 * JUnit makes.
 */
public final class QueenExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(QueenExtension.class);
  private static final int ALL = 1024;
  private static final Semaphore PERMITS = new Semaphore(ALL, true);

  /** JUnit makes one. */
  public QueenExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) throws InterruptedException {
    boolean alone = isolation(context) == Isolation.RESET;
    int permits = alone ? ALL : 1;
    PERMITS.acquire(permits);
    context.getStore(NAMESPACE).put(Semaphore.class, permits);
    if (alone) {
      EmbeddedQueen.shared().reset();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(NAMESPACE);
    try {
      String prefix = store.get(QueuePrefix.class, String.class);
      if (prefix != null) {
        EmbeddedQueen.shared().reset(prefix);
      }
    } finally {
      Integer permits = store.remove(Semaphore.class, Integer.class);
      if (permits != null) {
        PERMITS.release(permits);
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == EmbeddedQueen.class
        || type == QueenClient.class
        || (type == String.class && parameter.isAnnotated(QueuePrefix.class));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == String.class) {
      return prefix(context.getStore(NAMESPACE));
    }
    EmbeddedQueen queen = EmbeddedQueen.shared();
    return type == EmbeddedQueen.class ? queen : queen.client();
  }

  private static String prefix(ExtensionContext.Store store) {
    String known = store.get(QueuePrefix.class, String.class);
    if (known != null) {
      return known;
    }
    String fresh = EmbeddedQueen.shared().newPrefix();
    store.put(QueuePrefix.class, fresh);
    return fresh;
  }

  /** A nested class is isolated as the class around it, unless it says otherwise. */
  private static Isolation isolation(ExtensionContext context) {
    @Nullable Class<?> type = context.getRequiredTestClass();
    while (type != null) {
      var found = AnnotationSupport.findAnnotation(type, QueenTest.class);
      if (found.isPresent()) {
        return found.get().isolation();
      }
      type = type.getEnclosingClass();
    }
    return Isolation.RESET;
  }
}
