package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a text that mostly is the same in all messages of an answer, such as the name of their
 * queue. If its bytes are those of the last one, what that one meant is given again: nothing is
 * decoded and no object is made.
 *
 * @param <T> what a text means
 */
final class RepeatedText<T> {
  private final byte[] body;
  private final Function<String, T> meaning;

  /** Where the last one stands in the body, with its quotes. */
  private int from;

  private int end;
  private @Nullable T last;

  RepeatedText(byte[] body, Function<String, T> meaning) {
    this.body = body;
    this.meaning = meaning;
  }

  /** The value at which the parser of the body stands. What is no text is read as one. */
  T read(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      return meaning.apply(parser.getText());
    }
    T same = last;
    int begin = (int) parser.currentTokenLocation().getByteOffset();
    if (same != null && isLastAt(begin)) {
      return same;
    }
    T read = meaning.apply(parser.getText());
    last = read;
    from = begin;
    end = (int) parser.currentLocation().getByteOffset();
    return read;
  }

  /**
   * The quote at the end is compared, too: a longer text is another one. Places are negative if the
   * body is not in UTF-8.
   */
  private boolean isLastAt(int begin) {
    int until = begin + end - from;
    return begin >= 0 && until <= body.length && Arrays.equals(body, begin, until, body, from, end);
  }
}
