package dev.queenmq.server;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client of a warm-up: consumers that wait, pushes that wake them, and acks. A few lines over
 * sockets, because a client library would have to be loaded first. For one thread, which waits.
 */
final class WarmUpTraffic implements AutoCloseable {
  private static final int PAIRS = 4;
  private static final int MANY = 10;
  private static final int MANY_EVERY = 4;
  private static final int NO_CONTENT = 204;
  private static final int OK = 200;
  private static final int NOTE_LENGTH = 200;
  private static final int ANSWER_MILLIS = 5_000;
  private static final String NOTE = "n".repeat(NOTE_LENGTH);
  private static final Pattern MESSAGE =
      Pattern.compile(
          "\"transactionId\":\"([^\"]*)\".*?\"partitionId\":\"([^\"]*)\".*?\"leaseId\":\"([^\"]*)\"");

  private final String key;
  private final LongSupplier clock;
  private final List<Connection> consumers = new ArrayList<>();
  private final List<Connection> producers = new ArrayList<>();

  /**
   * Connects.
   *
   * @param key that every request carries
   * @param clock in nanoseconds
   */
  WarmUpTraffic(int port, String key, LongSupplier clock) throws IOException {
    this.key = key;
    this.clock = clock;
    try {
      for (int i = 0; i < PAIRS; i++) {
        consumers.add(new Connection(port));
        producers.add(new Connection(port));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /**
   * Sends messages through a new queue.
   *
   * @param rounds at most
   * @param deadline after which no round begins
   * @return the rounds that were done
   */
  int run(String queue, int rounds, long deadline) throws IOException {
    int done = 0;
    while (done < rounds && clock.getAsLong() - deadline < 0) {
      round(queue, done % MANY_EVERY == MANY_EVERY - 1 ? MANY : 1);
      done++;
    }
    return done;
  }

  private void round(String queue, int batch) throws IOException {
    for (Connection consumer : consumers) {
      consumer.send("GET", "/api/v1/pop/queue/" + queue + "?batch=100&wait=true&timeout=100", "");
    }
    for (int i = 0; i < PAIRS; i++) {
      producers.get(i).send("POST", "/api/v1/push", push(queue, "p" + i, batch));
    }
    for (Connection producer : producers) {
      producer.answer();
    }
    List<Connection> acking = new ArrayList<>();
    for (Connection consumer : consumers) {
      String acks = acks(consumer.answer());
      if (!acks.isEmpty()) {
        consumer.send("POST", "/api/v1/ack/batch", "{\"acknowledgments\":[" + acks + "]}");
        acking.add(consumer);
      }
    }
    for (Connection consumer : acking) {
      consumer.answer();
    }
  }

  private static String push(String queue, String partition, int batch) {
    StringBuilder body = new StringBuilder("{\"items\":[");
    for (int i = 0; i < batch; i++) {
      body.append(i == 0 ? "" : ",")
          .append("{\"queue\":\"%s\",\"partition\":\"%s\"".formatted(queue, partition))
          .append(",\"transactionId\":\"%s\"".formatted(UUID.randomUUID()))
          .append(",\"payload\":{\"number\":%d,\"note\":\"%s\"}}".formatted(i, NOTE));
    }
    return body.append("]}").toString();
  }

  private static String acks(String popped) {
    StringBuilder acks = new StringBuilder();
    // From the first message on: what stands before it is of the whole answer.
    Matcher message = MESSAGE.matcher(popped);
    int from = Math.max(0, popped.indexOf("\"messages\":["));
    while (message.find(from)) {
      acks.append(acks.isEmpty() ? "" : ",")
          .append("{\"transactionId\":\"%s\"".formatted(message.group(1)))
          .append(",\"partitionId\":\"%s\"".formatted(message.group(2)))
          .append(",\"leaseId\":\"%s\"".formatted(message.group(3)))
          .append(",\"status\":\"completed\"}");
      from = message.end();
    }
    return acks.toString();
  }

  @Override
  public void close() throws IOException {
    for (Connection each : consumers) {
      each.socket.close();
    }
    for (Connection each : producers) {
      each.socket.close();
    }
  }

  /** One request at a time. */
  private final class Connection {
    private final Socket socket;
    private final InputStream in;

    Connection(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(ANSWER_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    }

    void send(String method, String path, String body) throws IOException {
      byte[] request =
          "%s %s HTTP/1.1\r\nHost: localhost\r\n%s: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(method, path, WarmUp.KEY_HEADER, key, body.length(), body)
              .getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(request);
    }

    /** The body of the next answer. */
    String answer() throws IOException {
      String status = line();
      int length = 0;
      for (String header = line(); !header.isEmpty(); header = line()) {
        if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
        }
      }
      byte[] body = in.readNBytes(length);
      int code = Integer.parseInt(status.substring(status.indexOf(' ') + 1).substring(0, 3));
      if (code < OK || code > NO_CONTENT) {
        throw new IOException(status + " " + new String(body, StandardCharsets.UTF_8));
      }
      return new String(body, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("the connection was closed");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }
  }
}
