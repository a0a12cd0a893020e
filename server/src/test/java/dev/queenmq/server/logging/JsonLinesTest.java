package dev.queenmq.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLinesTest {

  private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
  private final PrintStream stream =
      new PrintStream(
          new JsonLines(raw, "stdout", "INFO", InstantSource.fixed(Instant.ofEpochMilli(7))),
          true,
          StandardCharsets.UTF_8);

  @Test
  void textLine_becomesAnObject() {
    stream.println("said \"so\" \u00e9");

    assertThat(lines()).hasSize(1);
    assertThat(new JsonObject(lines().get(0)))
        .isEqualTo(
            new JsonObject()
                .put("timestamp", 7)
                .put("level", "INFO")
                .put("threadName", Thread.currentThread().getName())
                .put("loggerName", "stdout")
                .put("formattedMessage", "said \"so\" \u00e9"));
  }

  @Test
  void object_passesAsItIs() {
    stream.write('{');
    stream.println("\"a\":1}");

    assertThat(lines()).containsExactly("{\"a\":1}");
  }

  @Test
  void stackTrace_isAnObjectForEachLine() {
    new IllegalStateException("two\nlines").printStackTrace(stream);

    assertThat(lines())
        .hasSizeGreaterThan(3)
        .allSatisfy(line -> assertThat(new JsonObject(line).getInteger("timestamp")).isEqualTo(7));
  }

  @Test
  void emptyLines_areLeftOut() {
    stream.print("\n\r\na\n\nb\n");

    assertThat(lines()).hasSize(2);
  }

  private List<String> lines() {
    return raw.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
