package dev.queenmq.bench.waiting;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.queenmq.bench.broker.BrokerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.List;

/**
 * Polls, is told that there is nothing, and polls again, on one connection. Belongs to the thread
 * of {@link IdleConsumers}.
 */
final class IdleConsumer {
  private static final String END = "\r\n\r\n";
  private static final int STATUS_FROM = 9;
  private static final int STATUS_TO = 12;

  private final SocketChannel channel;
  private final String queue;
  private final Iterator<Round> rounds;
  private Round round;
  private long deadline;
  // Of the answer that is being read.
  private int position;
  private int status;
  private int matched;

  IdleConsumer(SocketChannel channel, String queue, List<Round> rounds) {
    this.channel = channel;
    this.queue = queue;
    this.rounds = rounds.iterator();
    this.round = this.rounds.next();
  }

  /** Asks; from here on it is the broker's time that counts. */
  void poll() throws IOException {
    long millis = round.patienceMillis();
    String request =
        "GET "
            + BrokerClient.popPath(queue)
            + "?consumerGroup=idle&wait=true&timeout="
            + millis
            + " HTTP/1.1\r\nHost: queen\r\n\r\n";
    deadline = System.nanoTime() + millis * 1_000_000;
    ByteBuffer bytes = US_ASCII.encode(request);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Takes what has come; polls again when that was an answer. */
  void read(ByteBuffer buffer) throws IOException {
    buffer.clear();
    if (channel.read(buffer) < 0) {
      throw new IOException("the broker closed the connection");
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      char next = (char) buffer.get();
      if (position >= STATUS_FROM && position < STATUS_TO) {
        status = status * 10 + (next - '0');
      }
      position++;
      matched = next == END.charAt(matched) ? matched + 1 : (next == '\r' ? 1 : 0);
      if (matched == END.length()) {
        answered();
      }
    }
  }

  private void answered() throws IOException {
    round.count(status, System.nanoTime() - deadline);
    if (status != 204) {
      throw new IOException("answered " + status);
    }
    position = 0;
    status = 0;
    matched = 0;
    if (rounds.hasNext()) {
      round = rounds.next();
      poll();
    }
  }
}
