package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

  @Test
  void texts_areEscaped() throws IOException {
    String odd = "a\"b\\c\n\u0001 é 😀";
    byte[] json =
        new JsonText()
            .text("queue", odd)
            .text("none", null)
            .json("payload", "[1]".getBytes(StandardCharsets.UTF_8))
            .array("list", List.of(odd, ""), JsonText::string)
            .end();

    assertThat(Json.MAPPER.readTree(json).path("queue").asText()).isEqualTo(odd);
    assertThat(Json.MAPPER.readTree(json).path("list").path(0).asText()).isEqualTo(odd);
    assertThat(Json.MAPPER.readTree(json).path("payload").path(0).asInt()).isEqualTo(1);
    assertThat(Json.MAPPER.readTree(json).has("none")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'\ud83d','\ufffd'",
    "'a\ud83d b','a\ufffd b'",
    "'\ude00\ud83d','\ufffd\ufffd'",
    "'\ud83d\ud83d\ude00','\ufffd\ud83d\ude00'",
    "'plain','plain'",
    "'😀','😀'"
  })
  void freeText_replacesHalvesOfSurrogatePairs(String given, String written) throws IOException {
    byte[] json =
        new JsonText()
            .freeText(new FieldName("error"), given)
            .freeText(new FieldName("none"), null)
            .end();

    assertThat(Json.MAPPER.readTree(json).path("error").asText()).isEqualTo(written);
    assertThat(Json.MAPPER.readTree(json)).hasSize(1);
  }

  @Test
  void text_refusesHalvesOfSurrogatePairs() {
    assertThatThrownBy(() -> new JsonText().text("queue", "a\ud83d"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void objects_areWrittenInPlace_andFieldsAfterThem() throws IOException {
    byte[] json =
        new JsonText()
            .text("before", "x")
            .objects(
                "list", List.of("a", "b"), (each, text) -> text.text("name", each).text("n", each))
            .objects("none", List.<String>of(), (each, text) -> text.text("name", each))
            .text("after", "y")
            .end();

    assertThat(new String(json, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"before\":\"x\",\"list\":[{\"name\":\"a\",\"n\":\"a\"},{\"name\":\"b\",\"n\":\"b\"}],"
                + "\"none\":[],\"after\":\"y\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain"})
  void sizes_areThoseWritten(String value) {
    FieldName name = new FieldName("queue");
    byte[] payload = JsonText.string(value);
    byte[] json = new JsonText().text(name, value).text(name, null).json(name, payload).end();

    // Both fields count a comma, of which one is missing; the braces are two more.
    assertThat(
            JsonText.sizeOfText(name, value)
                + JsonText.sizeOfText(name, null)
                + JsonText.sizeOfJson(name, payload))
        .isEqualTo(json.length - 1);
  }

  @Test
  void text_keepsEachCharacter_whereverItStands() throws IOException {
    for (char each = 0; each < 0x300; each++) {
      for (String text : List.of("" + each, each + "x".repeat(254), "x".repeat(254) + each)) {
        byte[] json = new JsonText(0).text("before", "y").text("queue", text).end();

        assertThat(Json.MAPPER.readTree(json).path("queue").asText()).isEqualTo(text);
        assertThat(Json.MAPPER.readTree(json)).hasSize(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 255, 1_000_000})
  void buffer_growsWithTexts(int length) {
    String text = "x".repeat(length);
    FieldName name = new FieldName("a");

    assertThat(new JsonText(0).text(name, text).plainText(name, text).text("b", "é").end())
        .isEqualTo(
            "{\"a\":\"%s\",\"a\":\"%s\",\"b\":\"é\"}"
                .formatted(text, text)
                .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void textLikeTheLast_isWrittenAgain() throws IOException {
    List<String> texts =
        List.of("", "", "a", "a", "b", "ab", "a\"", "a\"", "é", "é", "x".repeat(255), "a");
    FieldName name = new FieldName("n");
    FieldName other = new FieldName("m");
    WrittenText last = new WrittenText();
    byte[] json =
        new JsonText(0)
            .objects(
                "list",
                texts,
                (each, text) ->
                    text.text(name, each, last).text(name, each, last).text(other, each))
            .end();

    JsonNode list = Json.MAPPER.readTree(json).path("list");
    assertThat(list).hasSize(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      assertThat(list.path(i).path("n").asText()).isEqualTo(texts.get(i));
      assertThat(list.path(i).path("m").asText()).isEqualTo(texts.get(i));
    }
  }

  @Test
  void textLikeTheLast_refusesHalvesOfSurrogatePairs() {
    FieldName name = new FieldName("n");
    WrittenText last = new WrittenText();
    JsonText json = new JsonText().text(name, "a", last);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> json.text(name, "a\ud83d", last))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "null", "\"x\"", " {\"a\":[1,2]} ", "[]"})
  void isValue_takesOneValue(String json) {
    assertThat(JsonText.isValue(json.getBytes(StandardCharsets.UTF_8))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "1,2", "1}", "{\"a\":1", "1]},{\"queue\":\"x\"", "nul", "\"x"})
  void isValue_refusesWhatWouldBreakTheRequest(String json) {
    assertThat(JsonText.isValue(json.getBytes(StandardCharsets.UTF_8))).isFalse();
  }
}
