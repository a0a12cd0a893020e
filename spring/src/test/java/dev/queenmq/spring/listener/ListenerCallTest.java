package dev.queenmq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.spring.QueenErrorHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who decides about an error. */
class ListenerCallTest {
  private final List<Throwable> asked = new ArrayList<>();

  static final class Bean {
    private final Exception error;

    Bean(Exception error) {
      this.error = error;
    }

    void handle(List<String> payloads) throws Exception {
      if (payloads.isEmpty()) {
        throw error;
      }
    }
  }

  @Test
  void theErrorHandler_decides() throws Exception {
    Exception error = new IllegalStateException("no flour");

    call(error).handle(List.of());

    assertThat(asked).containsExactly(error);
  }

  /** The application stops: a handler that discards what fails must not discard these messages. */
  @Test
  void theErrorHandler_isNotAsked_whenTheListenerIsInterrupted() throws Exception {
    assertThatThrownBy(() -> call(new InterruptedException()).handle(List.of()))
        .isInstanceOf(InterruptedException.class);

    Exception error = new IllegalStateException("the sleep ended early");
    ListenerCall call = call(error);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> call.handle(List.of())).isSameAs(error);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(asked).isEmpty();
  }

  private ListenerCall call(Exception error) throws NoSuchMethodException {
    Method method = Bean.class.getDeclaredMethod("handle", List.class);
    QueenErrorHandler discards =
        failure -> {
          asked.add(failure.error());
          return QueenErrorHandler.Decision.DISCARD;
        };
    return new ListenerCall(
        "test", ListenerMethod.of(new Bean(error), method, method, Bean.class), discards);
  }
}
