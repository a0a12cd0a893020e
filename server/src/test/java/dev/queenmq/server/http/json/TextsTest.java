package dev.queenmq.server.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {

  @ParameterizedTest
  @ValueSource(
      chars = {
        1, '\t', '\n', '\r', 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e,
        0x2066, 0x2069
      })
  void names_haveNoControlCharacters(char c) {
    for (String name : new String[] {"a" + c + "b", "a" + c, c + "b"}) {
      assertThatThrownBy(() -> Texts.name("queue", name))
          .isInstanceOf(HttpProblem.class)
          .extracting(problem -> ((HttpProblem) problem).text())
          .isEqualTo("queue contains a control character");
      assertThatThrownBy(() -> Texts.label("namespace", name)).isInstanceOf(HttpProblem.class);
      // What an earlier release has let in can be looked at and deleted.
      assertThat(Texts.existing("queue", name)).isEqualTo(name);
      assertThat(Texts.oneLine(name)).doesNotContain("" + c).hasSameSizeAs(name);
    }
  }

  @ParameterizedTest
  @ValueSource(chars = {0xd800, 0xdbff, 0xdc00, 0xdfff})
  void names_haveNoHalfSurrogates(char c) {
    assertThatThrownBy(() -> Texts.name("queue", "a" + c))
        .isInstanceOf(HttpProblem.class)
        .extracting(problem -> ((HttpProblem) problem).text())
        .isEqualTo("queue contains half a surrogate pair");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a b", "\u00e4\u4e2d", "\u05d0\u200f", "\ud83d\ude00", "a\"\\'/%"})
  void otherNames_areGood(String name) {
    assertThat(Texts.name("queue", name)).isEqualTo(name);
  }

  @Test
  void errors_areCut_betweenCharacters() {
    String most = "\ud83d\ude00".repeat(Texts.MAX_ERROR);
    assertThat(Texts.error(most)).isEqualTo(most);
    assertThat(Texts.error(most + "!")).isEqualTo(most);
    assertThat(Texts.error("x" + most)).isEqualTo("x" + most.substring(2));
    assertThat(Texts.error("\ud83d".repeat(Texts.MAX_ERROR + 1)))
        .isEqualTo("\ufffd".repeat(Texts.MAX_ERROR));
    assertThat(Texts.error("smtp 451")).isEqualTo("smtp 451");
  }
}
