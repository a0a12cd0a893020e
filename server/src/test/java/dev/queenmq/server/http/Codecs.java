package dev.queenmq.server.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.store.MessageIds;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the tests of codecs have in common. */
final class Codecs {
  static final int MAX_ITEMS = 5;
  static final JsonFactory FACTORY = JsonInput.factory(20);
  static final ItemList LIST = new ItemList(MAX_ITEMS);
  static final MessageIds IDS = new MessageIds(InstantSource.system());

  private Codecs() {}

  static Body body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  static Body body(byte[] bytes) {
    return new Body(bytes, bytes.length);
  }

  static void assertBadRequest(ThrowingCallable call, String text) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HttpProblem.class,
            problem -> org.assertj.core.api.Assertions.assertThat(problem.status()).isEqualTo(400))
        .hasMessage(text);
  }
}
