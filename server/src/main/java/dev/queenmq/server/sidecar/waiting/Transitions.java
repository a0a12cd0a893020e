package dev.queenmq.server.sidecar.waiting;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which state may follow which. Everything else is a defect, and found where it happens.
 *
 * @param <S> the states
 */
final class Transitions<S extends Enum<S>> {
  private final Map<S, Set<S>> allowed;

  Transitions(Class<S> states) {
    allowed = new EnumMap<>(states);
    for (S state : states.getEnumConstants()) {
      allowed.put(state, EnumSet.noneOf(states));
    }
  }

  @SafeVarargs
  final Transitions<S> from(S state, S... to) {
    for (S each : to) {
      allowed.getOrDefault(state, Set.of()).add(each);
    }
    return this;
  }

  /** The next state, if it may follow. */
  S next(S from, S to) {
    if (!allowed.getOrDefault(from, Set.of()).contains(to)) {
      throw new IllegalStateException(from + " is never followed by " + to);
    }
    return to;
  }
}
