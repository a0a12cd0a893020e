package dev.queenmq.server.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonOutputTest {
  JsonOutputTest() {}

  @ParameterizedTest
  @ValueSource(ints = {1, 16_381, 16_382, 300_000})
  void raw_standsAmongOtherValues_howeverLongItIs(int length) {
    String value = "\"" + "\u4e16".repeat(length) + "\"";

    String text =
        JsonOutput.write(
                json -> {
                  json.writeStartObject();
                  json.writeNumberField("before", 1);
                  json.writeFieldName("value");
                  JsonOutput.raw(json, value);
                  json.writeNumberField("after", 2);
                  json.writeArrayFieldStart("all");
                  JsonOutput.raw(json, value);
                  JsonOutput.raw(json, value);
                  json.writeEndArray();
                  json.writeEndObject();
                })
            .toString();

    assertThat(text)
        .isEqualTo(
            "{\"before\":1,\"value\":%1$s,\"after\":2,\"all\":[%1$s,%1$s]}".formatted(value));
    assertThat(new JsonObject(text).getInteger("after")).isEqualTo(2);
  }
}
