package dev.queenmq.server.http.messages;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.model.MessageIds;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the tests of codecs have in common. */
public final class Codecs {
  public static final int MAX_ITEMS = 5;
  public static final JsonFactory FACTORY = JsonInput.factory(20);
  public static final ItemList LIST = new ItemList(MAX_ITEMS);
  public static final MessageIds IDS = new MessageIds(InstantSource.system());

  private Codecs() {}

  public static Body body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  public static Body body(byte[] bytes) {
    return new Body(bytes, bytes.length);
  }

  public static void assertBadRequest(ThrowingCallable call, String text) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HttpProblem.class,
            problem -> org.assertj.core.api.Assertions.assertThat(problem.status()).isEqualTo(400))
        .hasMessage(text);
  }
}
