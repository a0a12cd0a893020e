package dev.queenmq.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8PiecesTest {
  Utf8PiecesTest() {}

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "\u00e4", "\u4e16", "\ud83d\ude00", "x\ud83d\ude00\u4e16"})
  void anyText_hasTheBytesOfTheWhole(String pattern) throws IOException {
    for (int times : new int[] {1, 1000, 65_535, 65_536, 200_001}) {
      // A letter before it, so that pieces end within characters.
      for (String start : new String[] {"", "a"}) {
        String text = start + pattern.repeat(times);
        byte[] whole = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Utf8Pieces.encode(text, bytes::write);

        assertThat(bytes.toByteArray()).isEqualTo(whole);
        assertThat(Utf8Pieces.length(text)).isEqualTo(whole.length);
      }
    }
  }
}
