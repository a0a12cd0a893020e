package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogFormatTest {

  @Test
  void lines_areForPeople_unlessSwitched() throws Exception {
    assertThat(logged("-Dqueen.log.level=info"))
        .hasSize(1)
        .first()
        .asString()
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) WARN  Child:"
                + " said \"so\"");
  }

  @Test
  void lines_areJson_whenSwitched() throws Exception {
    List<String> lines = logged("-Dqueen.log.format=json");

    assertThat(lines).hasSize(1);
    JsonObject line = new JsonObject(lines.get(0));
    assertThat(line.fieldNames())
        .contains("timestamp", "level", "loggerName", "formattedMessage")
        .doesNotContain("arguments", "context", "sequenceNumber");
    assertThat(line.getString("level")).isEqualTo("WARN");
    assertThat(line.getString("formattedMessage")).isEqualTo("said \"so\"");
  }

  /** Whatever a message or an exception says, each line is one of ours. */
  @Test
  void lines_cannotBeForged() throws Exception {
    List<String> text = logged("-Dqueen.log.level=info", "evil");
    assertThat(text)
        .filteredOn(line -> !line.startsWith("\t"))
        .satisfiesExactly(
            line -> assertThat(line).endsWith("Child: a\\u000d\\u000aforged\\u001b[2J\\u2028"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "java.lang.IllegalStateException: a\\u000d\\u000aforged\\u001b[2J\\u2028"),
            line ->
                assertThat(line).isEqualTo("    Caused by: java.io.IOException: b\\u000aforged"));
    List<String> json = logged("-Dqueen.log.format=json", "evil");
    assertThat(json).hasSize(1);
    assertThat(json.get(0)).doesNotContain("\u2028").contains("\\u2028");
    assertThat(new JsonObject(json.get(0)).getString("formattedMessage"))
        .isEqualTo("a\r\nforged\u001b[2J\u2028");
  }

  /** In a process of its own, because the tests have a configuration of theirs. */
  private static List<String> logged(String property, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                property,
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
    command.addAll(List.of(arguments));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  /** Logs one line that is seen, and one that is not. */
  static final class Child {

    private static final Logger log = LoggerFactory.getLogger("dev.queenmq.Child");

    private Child() {}

    public static void main(String[] arguments) {
      if (arguments.length > 0) {
        String evil = "a\r\nforged\u001b[2J\u2028";
        log.warn("{}", evil, new IllegalStateException(evil, new IOException("b\nforged")));
        return;
      }
      log.debug("not shown");
      log.warn("said \"{}\"", "so");
    }
  }
}
