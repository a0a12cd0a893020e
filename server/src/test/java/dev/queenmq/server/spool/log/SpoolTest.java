package dev.queenmq.server.spool.log;

import static dev.queenmq.server.spool.log.Entries.append;
import static dev.queenmq.server.spool.log.Entries.drain;
import static dev.queenmq.server.spool.log.Entries.drainEntries;
import static dev.queenmq.server.spool.log.Entries.entry;
import static dev.queenmq.server.spool.log.Entries.failure;
import static dev.queenmq.server.spool.log.Entries.next;
import static dev.queenmq.server.spool.log.Entries.options;
import static dev.queenmq.server.spool.log.Entries.refusal;
import static dev.queenmq.server.spool.log.Entries.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.OldForm;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.encryption.UnopenablePayloadException;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The spool on a real disk. */
class SpoolTest {
  private static final String KEY = "ab".repeat(32);

  @TempDir Path temp;

  private Path folder() {
    return temp.resolve("data/spool");
  }

  private Spool open() throws IOException {
    return Spool.open(options(folder()), Encryption.none(), System::nanoTime);
  }

  private static Encryption key(String current, Optional<String> previous) {
    return new Encryption(
        new PayloadCipher(
            Optional.of(EncryptionKey.ofHex(current)), previous.map(EncryptionKey::ofHex)),
        false);
  }

  @Test
  void entries_comeBackInOrderAndWhole() throws IOException {
    SpoolEntry full =
        new SpoolEntry(
            new Message(
                "Zoë's queue",
                "日本",
                UUID.randomUUID(),
                "tx ü",
                "{\"a\":\"😀\"}",
                UUID.randomUUID(),
                "",
                true),
            true,
            42);
    SpoolEntry plain = new SpoolEntry(Message.of("q", "p", UUID.randomUUID(), "t", "1"), false, 7);
    try (Spool spool = open()) {
      append(spool, full, plain);
      append(spool, entry("third"));
      assertThat(next(spool, 10).entries()).containsExactly(full, plain, entry("third"));
    }
  }

  @Test
  void next_givesTheSameUntilDone() throws IOException {
    try (Spool spool = open()) {
      append(spool, "a", "b", "c");
      assertThat(texts(next(spool, 2).entries())).containsExactly("a", "b");
      SpoolBatch again = next(spool, 1);
      assertThat(texts(again.entries())).containsExactly("a");
      assertThat(again.entries().get(0).perhapsStored()).as("given out before").isTrue();
      spool.done(again, Map.of());
      SpoolBatch rest = next(spool, 10);
      assertThat(texts(rest.entries())).containsExactly("b", "c");
      assertThat(rest.entries()).extracting(SpoolEntry::perhapsStored).containsExactly(true, false);
      assertThatThrownBy(() -> spool.done(again, Map.of()))
          .isInstanceOf(IllegalStateException.class);
      spool.done(rest, Map.of());
      assertThat(spool.next(1, 1)).isEmpty();
    }
  }

  @Test
  void next_endsAtItsBytes() throws IOException {
    try (Spool spool = open()) {
      append(spool, "a", "b", "c");
      assertThat(spool.next(10, 1).orElseThrow().entries()).hasSize(1);
      int body = new EntryCodec(PayloadCipher.withoutKeys()).encode(entry("a")).length;
      assertThat(spool.next(10, 2L * body).orElseThrow().entries()).hasSize(2);
    }
  }

  @Test
  void reopened_hasWhatIsNotDone_inDoubt() throws IOException {
    List<String> all = IntStream.range(0, 100).mapToObj(i -> "m" + i).toList();
    try (Spool spool = open()) {
      append(spool, all.toArray(String[]::new));
      spool.done(next(spool, 3), Map.of());
    }
    try (Spool spool = open()) {
      assertThat(spool.figures().pending()).isEqualTo(97);
      assertThat(spool.holds("orders", "p")).isTrue();
      append(spool, "new");
      List<SpoolEntry> rest = drainEntries(spool);
      assertThat(texts(rest)).startsWith("m3").endsWith("m99", "new").hasSize(98);
      assertThat(rest.subList(0, 97)).allMatch(SpoolEntry::perhapsStored);
      assertThat(rest.get(97).perhapsStored()).isFalse();
      assertThat(spool.holds("orders", "p")).isFalse();
      assertThat(spool.figures().pending()).isZero();
      assertThat(spool.figures().bytes()).isZero();
    }
    assertThat(segmentFiles()).isEmpty();
    try (Spool spool = open()) {
      assertThat(drain(spool)).isEmpty();
      assertThat(spool.figures().damaged()).isZero();
    }
  }

  @Test
  void reopened_withOtherOptions() throws IOException {
    try (Spool spool = open()) {
      append(spool, "a", "b", "c", "d", "e", "f", "g", "h");
    }
    SpoolOptions smaller = new SpoolOptions(folder(), 300, 100, 1);
    try (Spool spool = Spool.open(smaller, key(KEY, Optional.empty()), System::nanoTime)) {
      assertThat(failure(spool, entry("i")).kind()).isEqualTo(Kind.FULL);
      spool.done(next(spool, 1), Map.of());
    }
    try (Spool spool =
        Spool.open(SpoolOptions.of(folder(), 1 << 30), Encryption.none(), System::nanoTime)) {
      append(spool, "i");
      assertThat(drain(spool)).containsExactly("b", "c", "d", "e", "f", "g", "h", "i");
    }
  }

  @Test
  void holds_fromTheCallUntilDone() throws IOException {
    try (Spool spool = open()) {
      assertThat(spool.holds("orders", "p")).isFalse();
      CompletableFuture<Void> first =
          spool.append(List.of(entry("p", "a"), entry("r", "b"))).toCompletableFuture();
      assertThat(spool.holds("orders", "p")).isTrue();
      first.join();
      append(spool, entry("p", "c"));
      assertThat(spool.holds("orders", "p")).isTrue();
      assertThat(spool.holds("orders", "r")).isTrue();
      assertThat(spool.holds("orders", "s")).isFalse();
      assertThat(spool.holds("other", "p")).isFalse();
      spool.done(next(spool, 2), Map.of());
      assertThat(spool.holds("orders", "p")).as("c is left").isTrue();
      assertThat(spool.holds("orders", "r")).isFalse();
      spool.done(next(spool, 2), Map.of());
      assertThat(spool.holds("orders", "p")).isFalse();
    }
  }

  @Test
  void sizeLimit_refusesUntilThereIsRoom() throws IOException {
    SpoolOptions small = new SpoolOptions(folder(), 2_000, 500, 1 << 20);
    try (Spool spool = Spool.open(small, Encryption.none(), System::nanoTime)) {
      int taken = 0;
      Optional<SpoolException> refused = Optional.empty();
      while (refused.isEmpty()) {
        SpoolEntry entry = entry("x", "m" + taken);
        try {
          spool.append(List.of(entry)).toCompletableFuture().join();
          taken++;
        } catch (java.util.concurrent.CompletionException e) {
          refused = Optional.of(refusal(e));
        }
      }
      assertThat(refused.get().kind()).isEqualTo(Kind.FULL);
      assertThat(refused.get()).hasMessageContaining("SPOOL_MAX_BYTES");
      assertThat(taken).isBetween(8, 16);
      assertThat(spool.figures().full()).isEqualTo(1);
      assertThat(failure(spool, entry("y", "no")).kind()).isEqualTo(Kind.FULL);
      assertThat(spool.holds("orders", "y")).as("what was refused").isFalse();
      try (Stream<Path> files = Files.list(folder())) {
        long bytes =
            files
                .filter(file -> file.toString().endsWith(".log"))
                .mapToLong(file -> file.toFile().length())
                .sum();
        assertThat(bytes).isLessThanOrEqualTo(2_000).isEqualTo(spool.figures().bytes());
      }
      spool.done(next(spool, 100), Map.of());
      append(spool, entry("y", "yes"));
      assertThat(drain(spool)).hasSizeLessThanOrEqualTo(taken).endsWith("yes");
    }
  }

  @Test
  void concurrentAppends_keepTheOrderOfEachThread() throws Exception {
    int threads = 8;
    int each = 300;
    ConcurrentLinkedQueue<CompletableFuture<Void>> results = new ConcurrentLinkedQueue<>();
    List<SpoolEntry> drained = new ArrayList<>();
    SpoolOptions options = new SpoolOptions(folder(), 64 << 20, 64 << 10, 1 << 20);
    try (Spool spool = Spool.open(options, Encryption.none(), System::nanoTime)) {
      List<Thread> producers =
          IntStream.range(0, threads)
              .mapToObj(t -> new Thread(() -> produce(spool, t, each, results)))
              .toList();
      producers.forEach(Thread::start);
      // Drained while they write.
      while (producers.stream().anyMatch(Thread::isAlive)) {
        drained.addAll(drainEntries(spool));
      }
      for (Thread producer : producers) {
        producer.join();
      }
      results.forEach(CompletableFuture::join);
      drained.addAll(drainEntries(spool));
      assertThat(spool.figures().appended()).isEqualTo((long) threads * each);
      assertThat(spool.figures().settled()).isEqualTo((long) threads * each);
      assertThat(spool.figures().syncs()).isLessThan((long) threads * each);
    }
    assertThat(drained).hasSize(threads * each);
    for (int t = 0; t < threads; t++) {
      String partition = "t" + t;
      assertThat(
              drained.stream()
                  .filter(entry -> entry.message().partition().equals(partition))
                  .map(entry -> entry.message().transactionId()))
          .containsExactlyElementsOf(
              IntStream.range(0, each).mapToObj(i -> partition + "-" + i).toList());
    }
  }

  private static void produce(
      Spool spool, int thread, int count, ConcurrentLinkedQueue<CompletableFuture<Void>> results) {
    String partition = "t" + thread;
    for (int i = 0; i < count; i++) {
      results.add(
          spool.append(List.of(entry(partition, partition + "-" + i))).toCompletableFuture());
    }
  }

  @Test
  void withAKey_noPayloadIsReadableOnTheDisk() throws IOException {
    String secret = "the-secret-of-the-payload";
    SpoolEntry entry =
        new SpoolEntry(
            Message.of("q", "p", UUID.randomUUID(), "t", "{\"s\":\"" + secret + "\"}"), false, 1);
    Encryption encryption = key(KEY, Optional.empty());
    try (Spool spool = Spool.open(options(folder()), encryption, System::nanoTime)) {
      append(spool, entry, entry);
      assertNowhere(secret);
      SpoolBatch batch = next(spool, 2);
      assertThat(batch.entries()).containsExactly(entry, entry);
      spool.done(batch, Map.of(1, "refused"));
      assertNowhere(secret);
      append(spool, entry);
    }
    Encryption rotated = key("cd".repeat(32), Optional.of(KEY));
    try (Spool spool = Spool.open(options(folder()), rotated, System::nanoTime)) {
      assertThat(next(spool, 1).entries()).containsExactly(entry.inDoubt());
    }
  }

  @Test
  void payloadsOfTheOlderForm_areRead_andBoundOnesOnlyAsTheirMessage() {
    EncryptionKey old = EncryptionKey.ofHex(KEY);
    EntryCodec codec = new EntryCodec(key(KEY, Optional.empty()).cipher());
    SpoolEntry entry = entry("a");
    Message message = entry.message();

    Message unbound = with(message, message.queue(), OldForm.seal(old, message.payload()));
    assertThat(codec.opened(new EntryCodec.Stored(new SpoolEntry(unbound, false, 1), true)))
        .isEqualTo(new SpoolEntry(message, false, 1));

    EntryCodec.Stored bound = EntryCodec.decode(codec.encode(entry));
    assertThat(codec.opened(bound)).isEqualTo(entry);
    Message moved = with(message, "lobby", bound.entry().message().payload());
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(
            () -> codec.opened(new EntryCodec.Stored(new SpoolEntry(moved, false, 1), true)));
  }

  private static Message with(Message message, String queue, String payload) {
    return Message.of(queue, message.partition(), message.id(), message.transactionId(), payload);
  }

  private void assertNowhere(String secret) throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      for (Path file : files.toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain(secret);
      }
    }
  }

  @Test
  void withoutTheKey_entriesAreDeadAsTheyAre() throws IOException {
    try (Spool spool =
        Spool.open(options(folder()), key(KEY, Optional.empty()), System::nanoTime)) {
      append(spool, "sealed1", "sealed2");
    }
    try (Spool spool = open()) {
      append(spool, "plain");
      assertThat(drain(spool)).containsExactly("plain");
      assertThat(spool.figures().dead()).isEqualTo(2);
      assertThat(spool.figures().pending()).isZero();
      assertThat(spool.holds("orders", "p")).isFalse();
    }
    List<String> dead = Files.readAllLines(folder().resolve("dead.jsonl"));
    assertThat(dead).hasSize(2);
    assertThat(dead.get(0))
        .contains("\"transactionId\":\"sealed1\"", "\"encrypted\":true", "not configured");
  }

  @Test
  void deadEntries_areKeptAlone() throws IOException {
    try (Spool spool = open()) {
      append(spool, "a", "b", "c", "d");
      spool.done(next(spool, 4), Map.of(1, "no such \"thing\"", 3, "bad"));
      assertThat(spool.figures().dead()).isEqualTo(2);
      assertThat(spool.next(1, 1)).isEmpty();
    }
    List<String> dead = Files.readAllLines(folder().resolve("dead.jsonl"));
    assertThat(dead)
        .containsExactly(
            """
            {"reason":"no such \\"thing\\"","queue":"orders","partition":"p","id":"%s",\
            "transactionId":"b","acceptedAtMillis":1700000000000,"encrypted":false,\
            "payload":"{\\"text\\":\\"b\\"}"}\
            """
                .formatted(entry("b").message().id()),
            dead.get(1));
    try (Spool spool = open()) {
      assertThat(spool.figures().dead()).isEqualTo(2);
      assertThat(spool.figures().deadBytes()).isPositive();
    }
  }

  @Test
  void deadFileWithoutRoom_holdsTheSpoolUp() throws IOException {
    SpoolOptions options = new SpoolOptions(folder(), 1 << 20, 1_000, 300);
    try (Spool spool = Spool.open(options, Encryption.none(), System::nanoTime)) {
      append(spool, "a", "b");
      spool.done(next(spool, 1), Map.of(0, "bad"));
      SpoolBatch second = next(spool, 1);
      assertThatThrownBy(() -> spool.done(second, Map.of(0, "bad")))
          .isInstanceOf(SpoolException.class)
          .hasMessageContaining("move the file away");
      assertThat(spool.figures().pending()).isEqualTo(1);
      Files.move(folder().resolve("dead.jsonl"), temp.resolve("seen"));
      spool.done(next(spool, 1), Map.of(0, "bad"));
      assertThat(spool.figures().dead()).isEqualTo(1);
    }
  }

  @Test
  void files_areForTheirUserOnly() throws IOException {
    try (Spool spool = open()) {
      append(spool, "a");
      spool.done(next(spool, 1), Map.of(0, "bad"));
      append(spool, "b");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
          .isEqualTo("rwx------");
      for (Path file : List.of(segmentFiles().get(0), folder().resolve("dead.jsonl"))) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void folderThatIsNone_isRefusedWithAText() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    assertThatThrownBy(() -> Spool.open(options(file), Encryption.none(), System::nanoTime))
        .isInstanceOf(SpoolException.class)
        .hasMessageContaining("not a folder")
        .hasMessageContaining("QUEEN_SPOOL_DIR");
  }

  @Test
  void folderInUse_isRefused_alsoByAnotherProcess() throws Exception {
    try (Spool spool = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(SpoolException.class)
          .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
      // The attempt above must not have broken the lock.
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  SpoolOpener.class.getName(),
                  folder().toString())
              .redirectErrorStream(true)
              .start();
      String output = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(other.waitFor()).as(output).isEqualTo(1);
      assertThat(output).contains("in use by process " + ProcessHandle.current().pid());
      append(spool, "still works");
    }
    try (Spool spool = open()) {
      assertThat(drain(spool)).containsExactly("still works");
    }
  }

  @Test
  void closed_refusesAndKeeps() throws IOException {
    Spool spool = open();
    CompletableFuture<Void> last = spool.append(List.of(entry("a"))).toCompletableFuture();
    spool.close();
    assertThat(last).isCompleted();
    assertThat(failure(spool, entry("b")).kind()).isEqualTo(Kind.CLOSED);
    assertThatThrownBy(() -> spool.next(1, 1)).isInstanceOf(SpoolException.class);
    try (Spool second = open()) {
      spool.close();
      assertThatThrownBy(this::open).isInstanceOf(SpoolException.class);
      assertThat(drain(second)).containsExactly("a");
    }
  }

  @Test
  void anInterruptedDrainer_losesNothing() throws Exception {
    try (Spool spool = open()) {
      append(spool, "a", "b");
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> spool.next(1, 1)).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      SpoolBatch batch = next(spool, 1);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> spool.done(batch, Map.of())).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      append(spool, "c");
      assertThat(drain(spool)).containsExactly("a", "b", "c");
    }
  }

  private List<Path> segmentFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .filter(file -> Segment.numberOf(String.valueOf(file.getFileName())).isPresent())
          .sorted()
          .toList();
    }
  }
}
