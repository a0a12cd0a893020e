package dev.queenmq.bench.start;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Waits for the first answer of a broker that starts. A bare socket that asks every few
 * milliseconds: a client of this JVM would take time of its own to start.
 */
final class FirstAnswer {
  private static final Duration INTERVAL = Duration.ofMillis(5);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int ANSWER_MILLIS = 10_000;
  private static final byte[] REQUEST =
      "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);
  private static final String HEALTHY = "HTTP/1.1 200";

  private FirstAnswer() {}

  /** Returns once it says that it is healthy. */
  static void await(BrokerProcess broker) {
    int port = broker.url().port();
    boolean answered =
        Blocking.await(LIMIT, INTERVAL, () -> !broker.process().isAlive() || isHealthy(port));
    if (!answered || !broker.process().isAlive()) {
      throw new IllegalStateException("the broker did not start:\n" + broker.process().tail());
    }
  }

  private static boolean isHealthy(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      OutputStream out = socket.getOutputStream();
      out.write(REQUEST);
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .startsWith(HEALTHY);
    } catch (IOException e) {
      return false;
    }
  }
}
