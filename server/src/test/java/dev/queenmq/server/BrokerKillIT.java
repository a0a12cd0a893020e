package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.embedded.PreparedCluster;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Row 32 of the conformance checklist: a broker that is killed in the middle of 10,000 messages in
 * flight. Every message is followed by its id.
 */
class BrokerKillIT {
  private static final int IN_FLIGHT = 10_000;

  @TempDir private Path folder;

  @Test
  void row32_killedBroker_losesNothing_andKeepsTheOrderOfPartitions() throws Exception {
    Path data = folder.resolve("data");
    PreparedCluster.copyTo(data);
    Map<String, String> environment =
        Map.of(
            "QUEEN_DATA_DIR",
            data.toString(),
            "QUEEN_PG_BIN",
            PreparedCluster.bin().toString(),
            // A slow machine is no outage here: all goes to PostgreSQL.
            "QUEEN_SPOOL_DEADLINE_MS",
            "600000");
    List<ProcessHandle> children = List.of();
    try (ServerProcess first = ServerProcess.start(folder, environment)) {
      RunningServer before = RunningServer.at(first.port());
      before.configure("q", new JsonObject().put("leaseTime", 2).put("retryLimit", 1000));
      try (Traffic traffic = new Traffic(before, "q", 100).mayBreak().start(4, 0)) {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> traffic.underWay() >= IN_FLIGHT + IN_FLIGHT / 2);
        traffic.start(0, 3);
        Awaitility.await().until(() -> traffic.done() >= 1000);
        children = first.children();
        long inFlight = traffic.underWay();
        first.signal("KILL");
        first.exitCode();
        long killed = System.nanoTime();

        try (ServerProcess second = ServerProcess.start(folder, environment)) {
          traffic.moveTo(RunningServer.at(second.port()));
          long back = (System.nanoTime() - killed) / 1_000_000;
          long kept = traffic.pushes();
          Awaitility.await().until(() -> traffic.pushes() > kept);
          traffic.stopProducing();
          Awaitility.await().until(traffic::drained);
          System.out.printf(
              "kill -9: %d messages in flight, listens again after %d ms, %d stored in all%n",
              inFlight, back, traffic.stored().values().stream().mapToInt(List::size).sum());

          assertThat(inFlight).isGreaterThanOrEqualTo(IN_FLIGHT);
          assertThat(traffic.seen()).isEqualTo(traffic.stored());
          assertThat(traffic.readAll("later")).isEqualTo(traffic.stored());
          assertThat(traffic.wrongs()).isEmpty();
          second.signal("TERM");
          assertThat(second.exitCode()).isZero();
        }
      }
    } finally {
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
