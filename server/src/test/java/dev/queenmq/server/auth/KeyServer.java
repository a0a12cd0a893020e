package dev.queenmq.server.auth;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes keys, as well or badly as a test wants. */
public final class KeyServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger fetches = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int status = 200;
  private volatile String answer;
  private volatile boolean silent;

  /** That answers with this text. */
  public KeyServer(String answer) {
    this(answer, 0);
  }

  /** On a port that another process used before. */
  KeyServer(String answer, int port) {
    this.answer = answer;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/keys",
        exchange -> {
          fetches.incrementAndGet();
          byte[] body = this.answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, silent ? body.length + 1 : body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
            out.flush();
            if (silent) {
              closed.await();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  /** Where the keys are. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys?secret=honey");
  }

  int fetches() {
    return fetches.get();
  }

  void answer(int newStatus, String text) {
    status = newStatus;
    answer = text;
  }

  /** Never sends the last byte. */
  void keepSilent() {
    silent = true;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
