package dev.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00.123456Z");

  private final List<String> lines = new ArrayList<>();
  private long nanos;
  private final AuditLog log = new AuditLog(lines::add, () -> NOON, () -> nanos);

  @Test
  void line_saysWhoDidWhatAndWhen() {
    log.write(entry(Optional.of("alice"), Map.of("queue", "orders"), 200));

    assertThat(lines)
        .containsExactly(
            "{\"at\":\"2026-11-15T12:00:00.123Z\",\"who\":\"alice\",\"client\":\"10.0.0.7\","
                + "\"method\":\"DELETE\",\"route\":\"/api/v1/resources/queues/:queue\","
                + "\"parameters\":{\"queue\":\"orders\"},\"status\":200}");
  }

  /** What a caller sends stays inside its quotes, and on its line. */
  @Test
  void line_isOne_whateverItIsAbout() {
    String evil = "x\"}\n{\"at\":\"now\",\r\u0000\u001b[2J\u2028\u202e\ud83d\ude00\\";
    log.write(entry(Optional.of(evil), Map.of(evil, evil), 200));

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).matches("[ -~]*");
    JsonObject read = new JsonObject(lines.get(0));
    assertThat(read.getString("who")).isEqualTo(evil);
    assertThat(read.getJsonObject("parameters").getString(evil)).isEqualTo(evil);
    assertThat(read.getInteger("status")).isEqualTo(200);
  }

  @Test
  void line_isShort_andHasNoSecrets() {
    Map<String, String> many = new LinkedHashMap<>();
    many.put("access_token", "honey");
    many.put("clientSecret", "honey");
    many.put("Authorization", "honey");
    IntStream.range(0, 1_000).forEach(i -> many.put("p" + i, "x".repeat(10_000)));
    log.write(entry(Optional.of("y".repeat(1_000)), many, 200));

    assertThat(lines.get(0)).hasSizeLessThan(12_000).doesNotContain("honey").contains("****");
  }

  @Test
  void strangers_getFewLines_whichTellOfTheRest() {
    for (int i = 0; i < 1_000; i++) {
      log.write(entry(Optional.empty(), Map.of(), 401));
    }
    assertThat(lines).hasSize(5);
    nanos += TimeUnit.SECONDS.toNanos(1);
    log.write(entry(Optional.empty(), Map.of(), 401));
    assertThat(new JsonObject(lines.get(5)).getLong("unsaid")).isEqualTo(995);
    assertThat(new JsonObject(lines.get(5)).getString("who")).isEqualTo("anonymous");
    for (int i = 0; i < 1_000; i++) {
      log.write(entry(Optional.of("alice"), Map.of(), 403));
    }
    assertThat(lines).hasSize(56);
    for (int i = 0; i < 1_000; i++) {
      log.write(entry(Optional.of("alice"), Map.of(), 200));
    }
    assertThat(lines).hasSize(1_056);
  }

  @Test
  void file_mayBeMovedAway(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("deep/audit.log");
    AuditFile file = AuditFile.at(path);
    assertThat(path).isEmptyFile();
    file.accept("one");
    Files.move(path, folder.resolve("old"));
    file.accept("two");
    file.accept("three");

    assertThat(folder.resolve("old")).hasContent("one");
    assertThat(path).hasContent("two\nthree");
  }

  private static AuditEntry entry(
      Optional<String> subject, Map<String, String> parameters, int status) {
    return new AuditEntry(
        subject, "10.0.0.7", "DELETE", "/api/v1/resources/queues/:queue", parameters, status);
  }
}
