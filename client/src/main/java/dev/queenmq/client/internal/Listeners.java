package dev.queenmq.client.internal;

import dev.queenmq.client.ClientListener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls listeners; their failures are logged and do not affect messages. */
public final class Listeners {
  private static final Logger log = LoggerFactory.getLogger(Listeners.class);

  private Listeners() {}

  /** Calls each of them. */
  public static void tell(List<ClientListener> listeners, Consumer<ClientListener> event) {
    for (ClientListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException e) {
        log.warn("A listener failed", e);
      }
    }
  }
}
