package dev.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
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
    file.accept(List.of("one"));
    Files.move(path, folder.resolve("old"));
    file.accept(List.of("two", "three"));

    assertThat(folder.resolve("old")).hasContent("one");
    assertThat(path).hasContent("two\nthree");
  }

  @Test
  void file_isForItsUserOnly(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("deep/audit.log");
    AuditFile.at(path);
    assertThat(permissions(path)).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("deep"))).isEqualTo("rwx------");
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  /** A caller that adds a line does not wait until it is written. */
  @Test
  void lines_areWrittenByAThreadOfTheirOwn_inOrder() throws Exception {
    List<String> written = new CopyOnWriteArrayList<>();
    Set<String> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch disk = new CountDownLatch(1);
    try (AuditWriter writer =
        AuditWriter.start(
            lines -> {
              threads.add(Thread.currentThread().getName());
              await(disk);
              written.addAll(lines);
            },
            InstantSource.system())) {
      IntStream.range(0, 1_000).forEach(i -> writer.accept("line " + i));
      assertThat(written).isEmpty();
      disk.countDown();
    }
    // Closing waits for the rest.
    assertThat(written)
        .containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(i -> "line " + i).toList());
    assertThat(threads).containsExactly("queen-audit");
  }

  @Test
  void lines_thatFindNoRoom_areCountedInTheirPlace() throws Exception {
    List<String> written = new CopyOnWriteArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch disk = new CountDownLatch(1);
    try (AuditWriter writer =
        new AuditWriter(
            lines -> {
              begun.countDown();
              await(disk);
              written.addAll(lines);
            },
            () -> NOON,
            10)) {
      writer.accept("first");
      await(begun);
      writer.accept("123456");
      writer.accept("too long");
      writer.accept("too long");
      writer.accept("789");
      writer.accept("too long");
      disk.countDown();
    }
    assertThat(written)
        .containsExactly(
            "first",
            "123456",
            "{\"at\":\"2026-11-15T12:00:00.123Z\",\"lost\":2}",
            "789",
            "{\"at\":\"2026-11-15T12:00:00.123Z\",\"lost\":1}");
  }

  @Test
  void aTargetThatFails_isAskedAgain() {
    List<String> written = new CopyOnWriteArrayList<>();
    try (AuditWriter writer =
        AuditWriter.start(
            lines -> {
              if (lines.contains("bad")) {
                throw new IllegalStateException("on purpose");
              }
              written.addAll(lines);
            },
            InstantSource.system())) {
      writer.accept("bad");
      Awaitility.await()
          .until(
              () -> {
                writer.accept("good");
                return written.contains("good");
              });
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static AuditEntry entry(
      Optional<String> subject, Map<String, String> parameters, int status) {
    return new AuditEntry(
        subject, "10.0.0.7", "DELETE", "/api/v1/resources/queues/:queue", parameters, status);
  }
}
