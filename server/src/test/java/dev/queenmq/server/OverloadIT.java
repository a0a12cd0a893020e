package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** More than the broker can serve, and clients that mean no good: the others are served. */
@ExtendWith(PostgresExtension.class)
@Isolated("measures the heap")
@Timeout(180)
class OverloadIT {
  private static final int SOCKETS = 100;
  private static final int PIPELINED = 4;

  /** Answers that the flood gets before it ends. */
  private static final int FLOOD = 2_000;

  /** Messages of the small client, which shares a process with the flood and the broker. */
  private static final int SOME = 20;

  private static final int MANY = 200;

  private static final long MEGABYTE = 1 << 20;

  private final List<Socket> hostile = new ArrayList<>();
  private RunningServer server;

  @BeforeEach
  void start(TestDatabase database) {
    server =
        RunningServer.on(
            database.endpoint(),
            Map.of(
                "NUM_WORKERS", "2",
                "QUEEN_MAX_PENDING_ITEMS", "400",
                "QUEEN_MAX_PENDING_BYTES", Long.toString(8 * MEGABYTE)));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : hostile) {
      socket.close();
    }
    server.close();
  }

  @Test
  void flood_isAnsweredOrRefused_memoryIsBounded_othersAreServed() {
    SmallClient small = new SmallClient();
    small.push(MANY);
    long before = usedMegabytes();

    Flood flood = new Flood(server.port());
    small.push(SOME);
    flood.awaitAnswers(FLOOD);
    flood.close();
    small.push(MANY);
    long afterwards = usedMegabytes();
    System.out.printf(
        "flood: %d stored, %d refused of %d; heap %d MB before, %d MB after%n",
        flood.stored.get(), flood.refused.get(), flood.sent.get(), before, afterwards);

    assertThat(flood.wrongs).isEmpty();
    assertThat(flood.stored.get() + flood.refused.get()).isEqualTo(flood.sent.get());
    assertThat(flood.refused).hasPositiveValue();
    assertThat(flood.stored).hasPositiveValue();
    assertThat(afterwards - before).isLessThan(64);
  }

  @Test
  void hostileClients_doNotStopOthers() throws IOException {
    JsonObject large = item("large", "p", "one").put("payload", "x".repeat((int) MEGABYTE));
    assertThat(server.push(large).status()).isEqualTo(201);
    SmallClient small = new SmallClient();
    small.push(MANY);
    long before = usedMegabytes();

    Thread garbage = inBackground(OverloadIT::garbage);
    Thread headers = inBackground(OverloadIT::headerBomb);
    for (int i = 0; i < 100; i++) {
      write(
          connected(),
          "POST /api/v1/push HTTP/1.1\r\nHost: q\r\nContent-Length: 1000\r\n\r\n{\"ite");
      write(connected(), "GET /api/v1/pop/queue/large HT");
    }
    // Asks for 300 MB in all, and reads nothing.
    Socket neverReads = connected();
    StringBuilder pops = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      pops.append("GET /api/v1/pop/queue/large?autoAck=true&consumerGroup=g")
          .append(i)
          .append(" HTTP/1.1\r\nHost: q\r\n\r\n");
    }
    write(neverReads, pops.toString());
    small.push(2 * MANY);
    long afterwards = usedMegabytes();
    System.out.printf("hostile clients: heap %d MB before, %d MB after%n", before, afterwards);

    Awaitility.await().until(() -> !garbage.isAlive());
    Awaitility.await().until(() -> !headers.isAlive());
    assertThat(afterwards - before).isLessThan(64);
    Awaitility.await().until(() -> server.get("/health").status() == 200);
  }

  @Test
  void manyPipelinedRequests_areAllAnswered() throws IOException {
    Socket socket = connected();
    socket.setSoTimeout(60_000);
    String poll = "GET /api/v1/pop/queue/empty?wait=true&timeout=200 HTTP/1.1\r\nHost: q\r\n\r\n";
    String last = "GET /nowhere HTTP/1.1\r\nHost: q\r\nConnection: close\r\n\r\n";
    write(socket, poll + "GET /health/live HTTP/1.1\r\nHost: q\r\n\r\n".repeat(300) + last);

    String answers = new String(socket.getInputStream().readAllBytes(), US_ASCII);

    assertThat(answers).startsWith("HTTP/1.1 204").contains("HTTP/1.1 404");
    assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(301);
  }

  /** Pushes one message after the other, each until it is stored. */
  private final class SmallClient {
    void push(int messages) {
      for (int i = 0; i < messages; i++) {
        push();
      }
    }

    private void push() {
      while (true) {
        Answer answer = server.push(new JsonObject().put("queue", "small").put("payload", 1));
        if (answer.status() == 201) {
          return;
        }
        assertThat(answer.status()).isEqualTo(503);
        Traffic.pause(Duration.ofMillis(10));
      }
    }
  }

  /** Sends as many large pushes as go on the line, whatever comes back. */
  private static final class Flood {
    final AtomicLong sent = new AtomicLong();
    final AtomicLong stored = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client;
    private final Buffer body;
    private volatile boolean stopped;

    Flood(int port) {
      JsonArray items = new JsonArray();
      for (int i = 0; i < 100; i++) {
        items.add(
            new JsonObject()
                .put("queue", "flood-" + i % 2)
                .put("partition", "p" + i)
                .put("payload", "x".repeat(1024)));
      }
      body = new JsonObject().put("items", items).toBuffer();
      client =
          vertx.createHttpClient(
              new HttpClientOptions()
                  .setDefaultHost("127.0.0.1")
                  .setDefaultPort(port)
                  .setPipelining(true)
                  .setPipeliningLimit(PIPELINED),
              new PoolOptions().setHttp1MaxSize(SOCKETS).setMaxWaitQueueSize(-1));
      for (int i = 0; i < SOCKETS * PIPELINED; i++) {
        open.incrementAndGet();
        next();
      }
    }

    private void next() {
      if (stopped) {
        open.decrementAndGet();
        return;
      }
      sent.incrementAndGet();
      client
          .request(HttpMethod.POST, "/api/v1/push")
          .compose(request -> request.send(body))
          .compose(
              response ->
                  response
                      .body()
                      .onSuccess(
                          whole -> count(response.statusCode(), response.getHeader("Retry-After"))))
          .onFailure(failure -> wrongs.add(failure.toString()))
          .onComplete(done -> next());
    }

    private void count(int status, @Nullable String retryAfter) {
      if (status == 201) {
        stored.incrementAndGet();
      } else if (status == 503 && retryAfter != null) {
        refused.incrementAndGet();
      } else {
        wrongs.add("answered " + status);
      }
    }

    /** Returns when this number of requests were answered, among them some of each kind. */
    void awaitAnswers(int count) {
      Awaitility.await()
          .until(
              () -> stored.get() > 0 && refused.get() > 0 && stored.get() + refused.get() >= count);
    }

    void close() {
      stopped = true;
      Awaitility.await().until(() -> open.get() == 0);
      await(client.close());
      await(vertx.close());
    }
  }

  private interface Attack {
    void on(Socket socket) throws IOException;
  }

  private Thread inBackground(Attack attack) throws IOException {
    Socket socket = connected();
    Thread thread =
        new Thread(
            () -> {
              try {
                attack.on(socket);
              } catch (IOException refused) {
                // Cut off: that is one way to answer it.
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void garbage(Socket socket) throws IOException {
    byte[] noise = new byte[1 << 16];
    for (int i = 0; i < noise.length; i++) {
      noise[i] = (byte) (i * 31 + 7);
    }
    for (long sent = 0; sent < 20 * MEGABYTE; sent += noise.length) {
      socket.getOutputStream().write(noise);
    }
  }

  private static void headerBomb(Socket socket) throws IOException {
    write(socket, "GET /health HTTP/1.1\r\nHost: q\r\n");
    for (int i = 0; i < 1024; i++) {
      write(socket, "X-" + i + ": " + "y".repeat(1016) + "\r\n");
    }
    write(socket, "\r\n");
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    hostile.add(socket);
    return socket;
  }

  private static long usedMegabytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
  }
}
