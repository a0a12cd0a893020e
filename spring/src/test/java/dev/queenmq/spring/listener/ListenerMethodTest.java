package dev.queenmq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.Message;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What the signature of a method says. */
class ListenerMethodTest {

  /** A parent that leaves the payload open. */
  abstract static class Parent<T> {
    void inherited(Message<T> message, T payload) {}
  }

  @SuppressWarnings("UnusedVariable")
  static final class Child extends Parent<Long> {
    void payload(String payload) {}

    void bytes(byte[] payload) {}

    void generic(Map<String, Long> payload) {}

    void message(Message<? extends Number> message) {}

    void anyMessage(Message<?> message) {}

    void listInMessage(Message<List<Long>> message) {}

    void payloads(List<String> payloads) {}

    void messages(List<Message<String>> messages, List<String> payloads) {}

    CompletionStage<Long> later(String payload) {
      return CompletableFuture.completedFuture(1L);
    }

    void nothing() {}

    void two(String one, String other) {}

    void mixed(String one, List<String> more) {}

    void contradicting(Message<Long> message, String payload) {}

    String returning(String payload) {
      return payload;
    }

    CompletionStage<Long> laterList(List<String> payloads) {
      return CompletableFuture.completedFuture(1L);
    }
  }

  @Test
  void theParameters_sayWhatIsReceived() {
    assertThat(read("payload").payload()).isEqualTo(String.class);
    assertThat(read("bytes").payload()).isEqualTo(byte[].class);
    assertThat(read("generic").payload().getTypeName())
        .endsWith("Map<java.lang.String, java.lang.Long>");
    assertThat(read("message").payload()).isEqualTo(Number.class);
    assertThat(read("anyMessage").payload()).isEqualTo(JsonNode.class);
    assertThat(read("listInMessage").payload().getTypeName())
        .isEqualTo("java.util.List<java.lang.Long>");
    assertThat(read("listInMessage").isBatch()).isFalse();
    assertThat(read("inherited").payload()).isEqualTo(Long.class);
    assertThat(read("payloads").payload()).isEqualTo(String.class);
    assertThat(read("payloads").isBatch()).isTrue();
    assertThat(read("messages").payload()).isEqualTo(String.class);
    assertThat(read("messages").isBatch()).isTrue();
    assertThat(read("later").isAsync()).isTrue();
    assertThat(read("payload").isAsync()).isFalse();
  }

  @Test
  void whatMakesNoSense_isRefused() {
    for (String name :
        List.of("nothing", "two", "mixed", "contradicting", "returning", "laterList")) {
      assertThatThrownBy(() -> read(name))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("@QueenListener method")
          .hasMessageContaining(name);
    }
  }

  private static ListenerMethod read(String name) {
    Method method =
        Arrays.stream((name.equals("inherited") ? Parent.class : Child.class).getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return ListenerMethod.of(new Child(), method, method, Child.class);
  }
}
