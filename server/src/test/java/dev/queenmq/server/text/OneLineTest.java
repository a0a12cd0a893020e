package dev.queenmq.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest {

  @ParameterizedTest
  @ValueSource(
      chars = {
        0, 7, '\t', '\n', 0x0b, '\r', 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x2028, 0x2029, 0x202a,
        0x202e, 0x2066, 0x2069, 0xd800, 0xdbff, 0xdc00, 0xdfff
      })
  void unsafeCharacters_areSpelledOut(char c) {
    String spelled = String.format("\\u%04x", (int) c);
    assertThat(OneLine.escaped("a" + c + "b")).isEqualTo("a" + spelled + "b");
    assertThat(OneLine.escaped("" + c)).isEqualTo(spelled);
  }

  @Test
  void others_stay() {
    String text = "a ~\\\" \u00e4 \u4e2d \u200f \u05d0 \ud83d\ude00 \ufeff";
    assertThat(OneLine.escaped(text)).isSameAs(text);
    assertThat(OneLine.escaped("\ud83d\ude00\ud83d")).isEqualTo("\ud83d\ude00\\ud83d");
    assertThat(OneLine.escaped("\ude00\ud83d\ude00")).isEqualTo("\\ude00\ud83d\ude00");
  }
}
