package dev.queenmq.server.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentTextsTest {
  RecentTextsTest() {}

  @Test
  void texts_areTheirLetters_whateverCameBefore() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    RecentTexts texts = new RecentTexts();
    for (int i = 0; i < 5_000; i++) {
      String text = "\u4e16".repeat(random.nextInt(3)) + "-".repeat(random.nextInt(4)) + i % 40;
      String name = random.nextInt(20) == 0 ? "" : text;
      char[] letters = ("x" + name + "y").toCharArray();

      assertThat(texts.of(letters, 1, name.length())).as("seed %d", seed).isEqualTo(name);
    }
  }

  @Test
  void textThatComesAgain_isNotMadeAgain() {
    RecentTexts texts = new RecentTexts();
    String one = text(texts, "lane-1");
    text(texts, "lane-2");
    String again = text(texts, "lane-1");
    text(texts, "lane-2");

    assertThat(text(texts, "lane-2")).isEqualTo("lane-2");
    assertThat(again).isEqualTo(one);
    assertThat(text(texts, "lane-1")).isSameAs(again);
  }

  private static String text(RecentTexts texts, String letters) {
    return texts.of(letters.toCharArray(), 0, letters.length());
  }
}
