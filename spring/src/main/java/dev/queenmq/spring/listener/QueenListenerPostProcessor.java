package dev.queenmq.spring.listener;

import dev.queenmq.spring.ListenerFailure;
import dev.queenmq.spring.QueenErrorHandler;
import dev.queenmq.spring.QueenListener;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds {@link QueenListener} methods of beans and registers them. */
public final class QueenListenerPostProcessor implements BeanPostProcessor, Ordered {
  private static final Logger log = LoggerFactory.getLogger(QueenListener.class);

  private final ConfigurableListableBeanFactory beans;
  private final Supplier<QueenListenerRegistry> registry;
  private final Supplier<ListenerSettings> defaults;

  /**
   * A post processor. It is made before most beans, so that it asks for what it needs only when it
   * finds a listener.
   *
   * @param beans resolves placeholders and names of error handlers
   * @param registry gets the listeners
   * @param defaults what annotations leave open
   */
  public QueenListenerPostProcessor(
      ConfigurableListableBeanFactory beans,
      Supplier<QueenListenerRegistry> registry,
      Supplier<ListenerSettings> defaults) {
    this.beans = beans;
    this.registry = registry;
    this.defaults = defaults;
  }

  /** Proxies are made by others before. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
    if (!AnnotationUtils.isCandidateClass(target, QueenListener.class)) {
      return bean;
    }
    Map<Method, QueenListener> methods =
        MethodIntrospector.selectMethods(
            target,
            (MethodIntrospector.MetadataLookup<QueenListener>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, QueenListener.class));
    methods.forEach((method, annotation) -> register(bean, beanName, target, method, annotation));
    return bean;
  }

  private void register(
      Object bean, String beanName, Class<?> target, Method method, QueenListener annotation) {
    Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
    String id =
        Objects.requireNonNullElse(value(annotation.id()), beanName + "." + method.getName());
    try {
      String queue = value(annotation.queue());
      if (queue == null) {
        throw new IllegalArgumentException("a listener needs a queue");
      }
      ListenerSettings settings = settings(annotation, defaults.get());
      // A wrong start is found now, and not when the application has started.
      settings.start();
      registry
          .get()
          .register(
              new Listener(
                  id,
                  queue,
                  value(annotation.partition()),
                  settings,
                  ListenerMethod.of(bean, invocable, method, target),
                  () -> errorHandler(value(annotation.errorHandler()))));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("Listener " + id + ": " + e.getMessage(), e);
    }
  }

  private ListenerSettings settings(QueenListener annotation, ListenerSettings defaults) {
    String group = value(annotation.group());
    String startAt = value(annotation.startAt());
    return new ListenerSettings(
        group == null ? defaults.group() : group,
        number("concurrency", annotation.concurrency(), defaults.concurrency()),
        number("batch", annotation.batch(), defaults.batch()),
        defaults.partitionsPerPop(),
        startAt == null ? defaults.startAt() : startAt,
        defaults.longPoll(),
        defaults.renewLeasesFor(),
        defaults.firstPause(),
        defaults.longestPause(),
        flag(annotation.autoStartup(), defaults.autoStartup()));
  }

  private QueenErrorHandler errorHandler(@Nullable String name) {
    QueenErrorHandler handler =
        name == null
            ? beans.getBeanProvider(QueenErrorHandler.class).getIfUnique()
            : beans.getBean(name, QueenErrorHandler.class);
    return handler == null ? QueenListenerPostProcessor::warn : handler;
  }

  private static QueenErrorHandler.Decision warn(ListenerFailure failure) {
    log.warn(
        "Listener {} failed on {}, attempt {}",
        failure.listener(),
        failure.message(),
        failure.message().attempt(),
        failure.error());
    return QueenErrorHandler.Decision.FAIL;
  }

  private int number(String what, String text, int otherwise) {
    String value = value(text);
    try {
      return value == null ? otherwise : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(what + " is not a number: " + value, e);
    }
  }

  private boolean flag(String text, boolean otherwise) {
    String value = value(text);
    return value == null ? otherwise : Boolean.parseBoolean(value);
  }

  /** The text with its placeholders filled in; null if it is empty. */
  private @Nullable String value(String text) {
    String value = beans.resolveEmbeddedValue(text);
    return value == null || value.isBlank() ? null : value.strip();
  }
}
