package dev.queenmq.server.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JsonBytesTest {
  private static final int PLAIN = 7;
  private static final List<String> PIECES =
      List.of(
          "a",
          "Z",
          "0",
          " ",
          "/",
          "~",
          "\u007f",
          "\"",
          "\\",
          "\n",
          "\u0001",
          "\u001f",
          "\u0080",
          "\u00fc",
          "\u2028",
          "\u4e16",
          "\uffff",
          "\ud83d\ude00");

  JsonBytesTest() {}

  /** A value as it is written, and as a generator writes it. */
  private record Value(Consumer<JsonBytes> written, JsonOutput.Body expected) {}

  @Test
  void values_areThoseOfAGenerator() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 400; round++) {
      List<Value> values = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        values.add(value(random, round % 20 == 0 ? 20_000 : 80));
      }
      JsonBytes json = new JsonBytes(random.nextInt(12_000)).raw('[');
      for (int i = 0; i < values.size(); i++) {
        json.raw(JsonBytes.ascii(i == 0 ? "" : ","));
        values.get(i).written.accept(json);
      }

      assertThat(json.raw(']').finish().toString())
          .as("seed %d, round %d", seed, round)
          .isEqualTo(
              JsonOutput.write(
                      generator -> {
                        generator.writeStartArray();
                        for (Value each : values) {
                          each.expected.write(generator);
                        }
                        generator.writeEndArray();
                      })
                  .toString());
    }
  }

  @Test
  void quoted_isTheTextAsItStandsInAnAnswer() {
    assertThat(new String(JsonBytes.quoted("a\"\u00fc"), StandardCharsets.UTF_8))
        .isEqualTo("\"a\\\"\u00fc\"");
  }

  private static Value value(Random random, int longest) {
    switch (random.nextInt(4)) {
      case 0 -> {
        int number = random.nextBoolean() ? random.nextInt(200) : random.nextInt() >>> 1;
        return new Value(json -> json.number(number), json -> json.writeNumber(number));
      }
      case 1 -> {
        UUID uuid = new UUID(random.nextLong(), random.nextLong());
        return new Value(json -> json.uuid(uuid), json -> json.writeString(uuid.toString()));
      }
      case 2 -> {
        String text = text(random, longest);
        return new Value(json -> json.text(text), json -> json.writeString(text));
      }
      default -> {
        String raw = "\"" + text(random, longest).replaceAll("[\\p{Cntrl}\"\\\\]", "") + "\"";
        return new Value(json -> json.raw(raw), json -> json.writeRawValue(raw));
      }
    }
  }

  /** Mostly in plain letters: these are written in another way than the others. */
  private static String text(Random random, int longest) {
    int kinds = random.nextInt(3) == 0 ? PIECES.size() : PLAIN;
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(longest); i > 0; i--) {
      text.append(PIECES.get(random.nextInt(kinds)));
    }
    return text.toString();
  }

  @Test
  void nothing_isNull() {
    assertThat(new JsonBytes(0).uuid(null).raw(',').text(null).finish()).hasToString("null,null");
  }
}
