package dev.queenmq.spring.listener;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.Message;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ReflectionUtils;

/** A method of a bean, and how it is called with what was received. */
final class ListenerMethod {

  /** What a parameter takes. */
  private enum Argument {
    PAYLOAD,
    MESSAGE,
    PAYLOADS,
    MESSAGES
  }

  private final Object bean;
  private final Method method;
  private final List<Argument> arguments;
  private final Type payload;

  private ListenerMethod(Object bean, Method method, List<Argument> arguments, Type payload) {
    this.bean = bean;
    this.method = method;
    this.arguments = arguments;
    this.payload = payload;
  }

  /**
   * Reads the signature.
   *
   * @param bean what the method is called on, perhaps a proxy
   * @param method a method of the bean
   * @param declared the same method as it was written; a proxy has no generic types
   * @param target the class of the bean, which says what type variables of its parents are
   */
  static ListenerMethod of(Object bean, Method method, Method declared, Class<?> target) {
    List<Argument> arguments = new ArrayList<>();
    Type payload = null;
    for (Type parameter : declared.getGenericParameterTypes()) {
      Type type = GenericTypeResolver.resolveType(parameter, target);
      Type named;
      if (raw(type) == Message.class) {
        arguments.add(Argument.MESSAGE);
        named = inner(type);
      } else if (raw(type) == List.class) {
        Type element = inner(type);
        if (element != null && raw(element) == Message.class) {
          arguments.add(Argument.MESSAGES);
          named = inner(element);
        } else {
          arguments.add(Argument.PAYLOADS);
          named = element;
        }
      } else {
        arguments.add(Argument.PAYLOAD);
        named = type;
      }
      if (named != null && payload != null && !payload.equals(named)) {
        throw refused(declared, "names two types of payloads");
      }
      payload = named == null ? payload : named;
    }
    check(declared, arguments);
    ReflectionUtils.makeAccessible(method);
    return new ListenerMethod(
        bean, method, List.copyOf(arguments), payload == null ? JsonNode.class : payload);
  }

  private static void check(Method method, List<Argument> arguments) {
    Set<Argument> kinds = EnumSet.noneOf(Argument.class);
    kinds.addAll(arguments);
    if (arguments.isEmpty() || kinds.size() < arguments.size()) {
      throw refused(method, "needs a payload, a message, or one of each");
    }
    boolean single = kinds.contains(Argument.PAYLOAD) || kinds.contains(Argument.MESSAGE);
    boolean batch = kinds.contains(Argument.PAYLOADS) || kinds.contains(Argument.MESSAGES);
    if (single && batch) {
      throw refused(method, "takes single messages and lists");
    }
    boolean async = CompletionStage.class.isAssignableFrom(method.getReturnType());
    if (!async && method.getReturnType() != void.class) {
      throw refused(method, "returns something; only void and CompletionStage mean anything");
    }
    if (async && batch) {
      throw refused(method, "takes lists, and cannot return a CompletionStage");
    }
  }

  private static IllegalStateException refused(Method method, String why) {
    return new IllegalStateException(
        "@QueenListener method " + method.toGenericString() + " " + why);
  }

  private static Type raw(Type type) {
    return type instanceof ParameterizedType generic ? generic.getRawType() : type;
  }

  /** What stands in the angle brackets; null if nothing does, or a question mark. */
  private static @Nullable Type inner(Type type) {
    if (!(type instanceof ParameterizedType generic)) {
      return null;
    }
    Type inner = generic.getActualTypeArguments()[0];
    if (inner instanceof WildcardType wildcard) {
      Type bound = wildcard.getUpperBounds()[0];
      return bound == Object.class ? null : bound;
    }
    return inner;
  }

  /** The type of a payload. */
  Type payload() {
    return payload;
  }

  /** Whether it takes lists. */
  boolean isBatch() {
    return arguments.contains(Argument.PAYLOADS) || arguments.contains(Argument.MESSAGES);
  }

  /** Whether its end comes later than its return. */
  boolean isAsync() {
    return CompletionStage.class.isAssignableFrom(method.getReturnType());
  }

  /**
   * What a parameter for a list of payloads gets.
   *
   * @param values up to the first payload that cannot be read
   * @param failure why that one cannot be read; null if all can
   */
  record Payloads(List<Object> values, @Nullable Throwable failure) {}

  /**
   * Reads the payloads of messages, before a call that takes all of them: one that cannot be read
   * must not count against the others. Reads none if no parameter takes a list of them.
   */
  Payloads read(List<Message<Object>> messages) {
    // A payload may be null, so that List.of will not do.
    List<Object> values = new ArrayList<>(messages.size());
    if (arguments.contains(Argument.PAYLOADS)) {
      for (Message<Object> message : messages) {
        try {
          values.add(message.payload());
        } catch (RuntimeException | Error e) {
          return new Payloads(values, e);
        }
      }
    }
    return new Payloads(values, null);
  }

  /** Calls a method that takes single messages; throws what it throws. */
  @Nullable Object call(Message<Object> message) throws Exception {
    return call(List.of(message), List.of());
  }

  /**
   * Calls it; throws what it throws.
   *
   * @param payloads of the messages, if a parameter takes a list of them
   */
  @Nullable Object call(List<Message<Object>> messages, List<Object> payloads) throws Exception {
    Object[] values = new Object[arguments.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (arguments.get(i)) {
            case PAYLOAD -> messages.get(0).payload();
            case MESSAGE -> messages.get(0);
            case PAYLOADS -> payloads;
            case MESSAGES -> messages;
          };
    }
    try {
      return method.invoke(bean, values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }
}
