package dev.queenmq.server.http.json;

import java.util.List;
import java.util.SplittableRandom;

/** Makes any JSON text that a producer might send, with whitespace in every place. */
public final class JsonGeneratorDice {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "1.0",
          "1.50",
          "-12.5e+10",
          "1E-7",
          "123456789012345678901234567890",
          "0.1000000000000000055511151231257827",
          "9".repeat(1500),
          "1e400");
  private static final List<String> CHARACTERS =
      List.of(
          "a",
          "Z",
          " ",
          "\u00e9",
          "\u4e16",
          "\ud83d\ude00",
          "\\n",
          "\\\"",
          "\\\\",
          "\\/",
          "\\u0000",
          "\\ud800",
          "\\uD83D\\uDE00",
          "/",
          "{",
          "]",
          ",",
          ":",
          "\u007f",
          "\u2028");
  private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t\r\n  ");

  private final SplittableRandom random;

  public JsonGeneratorDice(long seed) {
    random = new SplittableRandom(seed);
  }

  public String space() {
    return oneOf(SPACES);
  }

  public String value(int depth) {
    int kind = random.nextInt(depth <= 0 ? 4 : 6);
    return switch (kind) {
      case 0 -> oneOf(List.of("true", "false", "null"));
      case 1 -> oneOf(NUMBERS);
      case 2 -> Integer.toString(random.nextInt());
      case 3 -> string();
      case 4 -> array(depth);
      default -> object(depth);
    };
  }

  public String string() {
    StringBuilder text = new StringBuilder("\"");
    for (int i = random.nextInt(20); i > 0; i--) {
      text.append(oneOf(CHARACTERS));
    }
    return text.append('"').toString();
  }

  /** A name of a field: the parser refuses half a surrogate pair there. */
  private String name() {
    return string().replaceAll("\\\\ud800|(\\\\uD83D\\\\uDE00)", "$1");
  }

  private String array(int depth) {
    StringBuilder text = new StringBuilder("[").append(space());
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(value(depth - 1)).append(space()).append(i > 1 ? "," : "").append(space());
    }
    return text.append(']').toString();
  }

  private String object(int depth) {
    StringBuilder text = new StringBuilder("{").append(space());
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(name()).append(space()).append(':').append(space());
      text.append(value(depth - 1)).append(space()).append(i > 1 ? "," : "").append(space());
    }
    return text.append('}').toString();
  }

  private String oneOf(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
