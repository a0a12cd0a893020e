package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.embedded.PreparedCluster;
import dev.queenmq.embedded.SharedBinaries;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded database is copied while producers push, and nothing is missing in the copy. */
class BackupIT {
  private static final int BATCH = 20;

  /** Of the producer: all that it pushes is read again, twice. */
  private static final long PAUSE_MILLIS = 10;

  @TempDir private Path folder;
  private Path data;
  private Path file;

  @BeforeEach
  void names() {
    data = folder.resolve("data");
    file = folder.resolve("queen.backup");
  }

  @Test
  void backup_underLoad_isRestoredWithAllThatWasAnsweredBefore() throws Exception {
    PreparedCluster.copyTo(SharedBinaries.linkInto(data));
    AtomicInteger answered = new AtomicInteger();
    int before;
    int consumed = 2 * BATCH;
    try (ServerProcess broker = ServerProcess.start(folder, in(data))) {
      RunningServer server = RunningServer.at(broker.port());
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Void> producer =
          CompletableFuture.runAsync(
              () -> {
                while (!enough.get()) {
                  push(server, answered.get());
                  answered.addAndGet(BATCH);
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
                }
              });
      Awaitility.await().until(() -> answered.get() >= 10 * BATCH);
      List<JsonObject> done =
          server.pop("orders", "batch=%d&consumerGroup=done".formatted(consumed)).messages();
      assertThat(done).hasSize(consumed);
      server.ackAll(done, "completed");
      before = answered.get();

      run(0, "backup", file.toString());

      int during = answered.get();
      assertThat(during).as("pushes went on").isGreaterThan(before);
      enough.set(true);
      producer.join();
      // What the copy must not have.
      push(server, answered.getAndAdd(BATCH));
      broker.signal("TERM");
      assertThat(broker.exitCode()).isZero();
    }

    data = SharedBinaries.linkInto(folder.resolve("restored"));
    assertThat(run(0, "restore", file.toString())).contains("Restored to " + data);
    try (ServerProcess broker = ServerProcess.start(folder, in(data))) {
      RunningServer server = RunningServer.at(broker.port());
      assertThat(broker.output()).contains("(kept from before)", "Schema is up to date");
      List<Integer> all = drain(server, "all");
      // In order, without a gap, from the first to one after those that were answered in time.
      for (int i = 0; i < all.size(); i++) {
        assertThat(all.get(i)).isEqualTo(i);
      }
      assertThat(all).hasSizeBetween(before, answered.get() - BATCH);
      assertThat(drain(server, "done")).isEqualTo(all.subList(consumed, all.size()));
      push(server, all.size());
      assertThat(drain(server, "all")).hasSize(BATCH);
    }
  }

  @Test
  void backup_withoutABroker_startsTheDatabaseItself() throws Exception {
    PreparedCluster.copyTo(SharedBinaries.linkInto(data));
    try (ServerProcess broker = ServerProcess.start(folder, in(data))) {
      push(RunningServer.at(broker.port()), 0);
      broker.signal("TERM");
      assertThat(broker.exitCode()).isZero();
    }
    Files.writeString(data.resolve("postgresql.user.conf"), "work_mem = '5MB'\n");
    assertThat(run(0, "backup", file.toString())).contains("Backup of " + data, "MiB");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);

    assertThat(run(1, "backup", file.toString())).contains("exists. A backup replaces no file");
    assertThat(run(1, "restore", file.toString()))
        .contains("A restore replaces no database: move it away");
    Path cut = folder.resolve("cut.backup");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) / 2));
    data = SharedBinaries.linkInto(folder.resolve("other"));
    assertThat(run(1, "restore", cut.toString())).contains("cannot be restored: it ends early");
    assertThat(data.resolve("postgres")).doesNotExist();
    run(0, "restore", file.toString());
    assertThat(data.resolve("postgresql.user.conf")).hasContent("work_mem = '5MB'");
    try (ServerProcess broker = ServerProcess.start(folder, in(data))) {
      assertThat(drain(RunningServer.at(broker.port()), "all")).hasSize(BATCH);
    }
  }

  @Test
  void mistakes_areReported() throws Exception {
    assertThat(run(2, "backup")).contains("usage: queen backup FILE");
    assertThat(run(1, "backup", file.toString())).contains("There is no database in " + data);
    Map<String, String> external = Map.of("PG_HOST", "db.example", "QUEEN_DATA_DIR", "" + data);
    try (ServerProcess command =
        ServerProcess.start(folder, external, "restore", file.toString())) {
      assertThat(command.exitCode()).isEqualTo(2);
      assertThat(command.output()).contains("PG_HOST is set");
    }
    assertThat(file).doesNotExist();
  }

  private static void push(RunningServer server, int first) {
    JsonArray items = new JsonArray();
    for (int i = 0; i < BATCH; i++) {
      items.add(item("orders", "a", Integer.toString(first + i)));
    }
    assertThat(server.post("/api/v1/push", new JsonObject().put("items", items)).status())
        .isEqualTo(201);
  }

  /** All messages for a group, in the order in which they come. */
  private static List<Integer> drain(RunningServer server, String group) {
    List<Integer> all = new ArrayList<>();
    List<String> some = List.of("");
    while (!some.isEmpty()) {
      some =
          server.pop("orders", "batch=1000&autoAck=true&consumerGroup=" + group).transactionIds();
      some.forEach(each -> all.add(Integer.valueOf(each)));
    }
    return all;
  }

  private String run(int code, String... arguments) throws IOException {
    try (ServerProcess command = ServerProcess.start(folder, in(data), arguments)) {
      assertThat(command.exitCode()).as(command.output()).isEqualTo(code);
      return command.output();
    }
  }

  private static Map<String, String> in(Path data) {
    return Map.of("QUEEN_DATA_DIR", data.toString());
  }
}
