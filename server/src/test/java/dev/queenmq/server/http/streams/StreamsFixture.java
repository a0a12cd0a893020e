package dev.queenmq.server.http.streams;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.http.streams.StreamClient.put;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Two brokers for tests of streams. They are in touch, and look so seldom by themselves that only
 * what they are told can wake a poll in time.
 */
@ExtendWith(PostgresExtension.class)
@ResourceLock("dev.queenmq.server.http.streams.StreamsFixture")
abstract class StreamsFixture {
  static final String NOBODY = "6a0e8ba2-0000-4000-8000-000000000000";
  static TestDatabase database;
  static RunningServer server;
  static RunningServer other;

  @BeforeAll
  static void start(TestDatabase fresh) throws IOException {
    database = fresh;
    int[] ports = {freeUdpPort(), freeUdpPort()};
    String peers = "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1];
    server = clustered(peers, ports[0]);
    other = clustered(peers, ports[1]);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    other.close();
  }

  static JsonObject good(StreamClient stream, List<JsonObject> messages) {
    return stream
        .cycle(messages)
        .put("state_ops", new JsonArray().add(put("k", 1)))
        .put(
            "push_items",
            new JsonArray().add(item(stream.group().substring(8) + ".out", "p", "s1")));
  }

  static JsonObject ack(String transactionId, String lease, String status) {
    return new JsonObject()
        .put("transactionId", transactionId)
        .put("leaseId", lease)
        .put("status", status);
  }

  static JsonObject stateOnly(StreamClient stream, String partition, JsonObject... ops) {
    return stream.cycle(partition).put("state_ops", new JsonArray(List.of(ops)));
  }

  static JsonObject anonymous(String queue, String partition) {
    return new JsonObject().put("queue", queue).put("partition", partition).put("payload", 1);
  }

  static void pushAll(String queue, String partition, String... ids) {
    server.push(
        IntStream.range(0, ids.length)
            .mapToObj(i -> item(queue, partition, ids[i]))
            .toArray(JsonObject[]::new));
  }

  /** Makes a partition that has one message. */
  static String partitionOf(String queue, String partition) {
    return server
        .push(item(queue, partition, "seed"))
        .array()
        .getJsonObject(0)
        .getString("partition_id");
  }

  static RunningServer clustered(String peers, int port) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_UDP_PEERS",
            peers,
            "QUEEN_UDP_NOTIFY_PORT",
            String.valueOf(port),
            "QUEEN_SYNC_SECRET",
            "5ca1ab1e".repeat(8),
            "POP_WAIT_INITIAL_INTERVAL_MS",
            "30000",
            "POP_WAIT_MAX_INTERVAL_MS",
            "30000"));
  }

  static int freeUdpPort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
