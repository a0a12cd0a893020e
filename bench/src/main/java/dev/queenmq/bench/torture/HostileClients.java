package dev.queenmq.bench.torture;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Clients that take what they can of a broker's memory and attention, each on a thread of its own,
 * until they are closed. One whose connection is closed comes again.
 */
final class HostileClients implements AutoCloseable {
  static final String QUEUE = "hostile";

  private static final int LARGE = 8 << 20;
  private static final int PIECE = 64 << 10;
  private static final Duration DRIP = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int PATIENCE_MILLIS = 20_000;

  /** What such a client does with a connection; returns when it is done with it. */
  private interface Conduct {
    void over(Socket socket, int number) throws IOException;
  }

  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  private HostileClients() {}

  /** They begin large pushes, and go on by the drop. */
  static HostileClients uploading(BrokerUrl broker, int count) {
    return new HostileClients().start(broker, count, HostileClients::upload);
  }

  /** They ask for large messages, each for a group of its own, and read by the drop. */
  static HostileClients reading(BrokerUrl broker, int count) throws IOException {
    try (Socket socket = connect(broker)) {
      String body =
          "{\"items\":[{\"queue\":\"%s\",\"transactionId\":\"large\",\"payload\":\"%s\"}]}"
              .formatted(QUEUE, "x".repeat(LARGE));
      send(socket, "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length());
      send(socket, "\r\nConnection: close\r\n\r\n" + body);
      socket.getInputStream().readAllBytes();
    }
    return new HostileClients().start(broker, count, HostileClients::read);
  }

  /** They ask for all figures, again and again. */
  static HostileClients scraping(BrokerUrl broker, int count) {
    return new HostileClients().start(broker, count, HostileClients::scrape);
  }

  private HostileClients start(BrokerUrl broker, int count, Conduct conduct) {
    for (int i = 0; i < count; i++) {
      int number = i;
      Thread thread = new Thread(() -> run(broker, number, conduct), "hostile-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    return this;
  }

  private void run(BrokerUrl broker, int number, Conduct conduct) {
    while (!over) {
      try (Socket socket = connect(broker)) {
        sockets.add(socket);
        try {
          conduct.over(socket, number);
        } finally {
          sockets.remove(socket);
        }
      } catch (IOException e) {
        // Refused, closed or reset: what it deserves. It comes again.
        Blocking.sleep(PAUSE);
      }
    }
  }

  private static void upload(Socket socket, int number) throws IOException {
    send(socket, "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + LARGE + "\r\n\r\n");
    send(socket, " ".repeat(PIECE));
    while (true) {
      Blocking.sleep(DRIP);
      send(socket, " ");
    }
  }

  private static void read(Socket socket, int number) throws IOException {
    send(
        socket,
        "GET /api/v1/pop/queue/%s?batch=100&consumerGroup=reader-%d HTTP/1.1\r\nHost: x\r\n\r\n"
            .formatted(QUEUE, number));
    InputStream in = socket.getInputStream();
    while (in.read() >= 0) {
      Blocking.sleep(DRIP);
    }
  }

  private static void scrape(Socket socket, int number) throws IOException {
    send(socket, "GET /metrics/prometheus HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  private static Socket connect(BrokerUrl broker) throws IOException {
    Socket socket = new Socket(broker.host(), broker.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setReceiveBufferSize(PIECE);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  @Override
  public void close() {
    over = true;
    sockets.forEach(
        socket -> {
          try {
            socket.close();
          } catch (IOException e) {
            // It is closed, then.
          }
        });
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
