package dev.queenmq.bench.waiting;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/**
 * Consumers of queues in which nothing comes, on one thread, and with as few objects as possible:
 * pauses of this JVM would look like late answers.
 */
final class IdleConsumers implements AutoCloseable {
  /** One begins after the other, and so their deadlines are apart. */
  static final Duration INTERVAL = Duration.ofMillis(1);

  private static final int BUFFER_BYTES = 16_384;

  private final Selector selector;
  private final Thread thread;
  private final InetSocketAddress address;
  private final int count;
  private final int queues;
  private final List<Round> rounds;
  private volatile boolean stopped;
  private volatile String failure = "";

  /** They begin at once; each polls once in every round. */
  IdleConsumers(BrokerUrl url, int count, int queues, List<Round> rounds) {
    this.address = new InetSocketAddress(url.host(), url.port());
    this.count = count;
    this.queues = queues;
    this.rounds = List.copyOf(rounds);
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread = new Thread(this::run, "idle-consumers");
    thread.start();
  }

  /** How long it takes until this many have begun. */
  static Duration opening(int count) {
    return INTERVAL.multipliedBy(count);
  }

  /** Why a consumer gave up, or empty. */
  String failure() {
    return failure;
  }

  private void run() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    long begun = System.nanoTime();
    int opened = 0;
    try {
      while (!stopped) {
        while (opened < count && System.nanoTime() - begun >= opening(opened).toNanos()) {
          open(opened++);
        }
        selector.select(key -> act(key, buffer), opened < count ? INTERVAL.toMillis() : 100);
      }
    } catch (IOException e) {
      failure = e.toString();
    }
  }

  private void open(int number) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.register(
        selector,
        SelectionKey.OP_CONNECT,
        new IdleConsumer(channel, "idle-" + number % queues, rounds));
    channel.connect(address);
  }

  private void act(SelectionKey key, ByteBuffer buffer) {
    IdleConsumer consumer = (IdleConsumer) key.attachment();
    SocketChannel channel = (SocketChannel) key.channel();
    try {
      if (key.isConnectable() && channel.finishConnect()) {
        key.interestOps(SelectionKey.OP_READ);
        consumer.poll();
      } else if (key.isReadable()) {
        consumer.read(buffer);
      }
    } catch (IOException e) {
      failure = e.toString();
      close(channel);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stopped = true;
    selector.wakeup();
    try {
      thread.join();
      for (SelectionKey key : selector.keys()) {
        close((SocketChannel) key.channel());
      }
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Polls, gets an empty answer, and polls again, on one connection. */
  private static final class IdleConsumer {
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
}
