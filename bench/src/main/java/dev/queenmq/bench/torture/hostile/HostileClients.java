package dev.queenmq.bench.torture.hostile;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Clients that take what they can of a broker's memory and attention, each on a thread of its own,
 * until they are closed. One whose connection is closed comes again.
 */
public final class HostileClients implements AutoCloseable {
  /** The queue that they use. */
  public static final String QUEUE = "hostile";

  private static final int LARGE = 8 << 20;
  private static final int PIECE = 64 << 10;
  private static final Duration DRIP = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int PATIENCE_MILLIS = 20_000;

  /** What such a client does with a connection; returns when it is done with it. */
  private interface Conduct {
    void over(Socket socket, int number) throws IOException;
  }

  private final BrokerUrl broker;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Map<Integer, Long> answers = new ConcurrentHashMap<>();

  /** Requests of each client of a flood: also one that comes again takes new names. */
  private final Map<Integer, Long> sent = new ConcurrentHashMap<>();

  private volatile boolean over;

  private HostileClients(BrokerUrl broker) {
    this.broker = broker;
  }

  /** They begin large pushes, and go on a few bytes at a time. */
  public static HostileClients uploading(BrokerUrl broker, int count) {
    HostileClients clients = new HostileClients(broker);
    return clients.start(count, clients::upload);
  }

  /** They ask for large messages, each for a group of its own, and read a few bytes at a time. */
  public static HostileClients reading(BrokerUrl broker, int count) throws IOException {
    String body =
        "{\"items\":[{\"queue\":\"%s\",\"transactionId\":\"large\",\"payload\":\"%s\"}]}"
            .formatted(QUEUE, "x".repeat(LARGE));
    exchange(
        broker,
        Flood.head("POST", "/api/v1/push", broker.token())
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
    HostileClients clients = new HostileClients(broker);
    return clients.start(count, clients::read);
  }

  /** They ask for all figures, again and again. */
  public static HostileClients scraping(BrokerUrl broker, int count) {
    HostileClients clients = new HostileClients(broker);
    return clients.start(count, clients::scrape);
  }

  /** They send one request after the other, as fast as these are answered. */
  public static HostileClients flooding(BrokerUrl broker, int count, Flood flood) {
    HostileClients clients = new HostileClients(broker);
    return clients.start(count, (socket, number) -> clients.flood(socket, number, flood));
  }

  /** One request on a connection of its own, before or after all others; its status. */
  public static int exchange(BrokerUrl broker, String request) throws IOException {
    try (Socket socket = connect(broker)) {
      return new HttpExchange(socket.getInputStream(), socket.getOutputStream()).send(request);
    }
  }

  /** How often each status was the answer; those that were not read are not in it. */
  public Map<Integer, Long> answers() {
    return new TreeMap<>(answers);
  }

  private HostileClients start(int count, Conduct conduct) {
    for (int i = 0; i < count; i++) {
      int number = i;
      Thread thread = new Thread(() -> run(number, conduct), "hostile-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    return this;
  }

  private void run(int number, Conduct conduct) {
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

  private void upload(Socket socket, int number) throws IOException {
    send(
        socket,
        Flood.head("POST", "/api/v1/push", broker.token())
            + "Content-Length: "
            + LARGE
            + "\r\n\r\n");
    send(socket, " ".repeat(PIECE));
    while (!over) {
      Blocking.sleep(DRIP);
      send(socket, " ");
    }
  }

  private void read(Socket socket, int number) throws IOException {
    send(
        socket,
        Flood.head(
                "GET",
                "/api/v1/pop/queue/%s?batch=100&consumerGroup=reader-%d".formatted(QUEUE, number),
                broker.token())
            + "\r\n");
    InputStream in = socket.getInputStream();
    while (!over && in.read() >= 0) {
      Blocking.sleep(DRIP);
    }
  }

  /** Each on a connection of its own, as careless scrapers do. */
  private void scrape(Socket socket, int number) throws IOException {
    count(
        new HttpExchange(socket.getInputStream(), socket.getOutputStream())
            .send(
                Flood.head("GET", "/metrics/prometheus", broker.token())
                    + "Connection: close\r\n\r\n"));
  }

  private void flood(Socket socket, int number, Flood flood) throws IOException {
    HttpExchange exchange = new HttpExchange(socket.getInputStream(), socket.getOutputStream());
    while (!over && !exchange.isClosing()) {
      count(exchange.send(flood.request(number, sent.merge(number, 1L, Long::sum))));
    }
  }

  private void count(int status) {
    answers.merge(status, 1L, Long::sum);
  }

  private static Socket connect(BrokerUrl broker) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENCE_MILLIS);
    // Counts only for a connection that is not made yet.
    socket.setReceiveBufferSize(PIECE);
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(broker.host(), broker.port()), PATIENCE_MILLIS);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  @Override
  public void close() {
    over = true;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        // Again and again: one may have connected just now.
        sockets.forEach(HostileClients::close);
        Blocking.sleep(PAUSE);
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed, then.
    }
  }
}
