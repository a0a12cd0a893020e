package dev.queenmq.client.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A line between clients and a broker that can be disturbed. What is set counts at once, also for
 * connections that exist.
 */
public final class FaultProxy implements AutoCloseable {

  /** What is wrong with the line. */
  public enum Fault {
    /** Nothing. */
    NONE,
    /** Half of each answer arrives, then the connection ends. */
    CUT_ANSWERS,
    /** Each request is answered 503 by the line itself. */
    UNAVAILABLE,
    /** Each piece takes a while. */
    SLOW,
    /** Each answer takes longer than a broker that has messages ever should. */
    LATE,
    /** Connections stay open, and nothing goes either way. */
    SILENT,
    /** Connections end at once. */
    CLOSED
  }

  private static final byte[] ANSWER_503 =
      ("HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
              + "Content-Length: 19\r\nConnection: close\r\n\r\n{\"error\":\"go away\"}")
          .getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger hits = new AtomicInteger();
  private volatile int target;
  private volatile Fault fault = Fault.NONE;

  /** A good line to a port of this machine. */
  public FaultProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /** What clients connect to. */
  public String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  /** From now on. */
  public void set(Fault next) {
    fault = next;
    if (next == Fault.CLOSED || next == Fault.UNAVAILABLE) {
      cut();
    }
  }

  /** New connections go to another broker. */
  public void retarget(int port) {
    target = port;
    cut();
  }

  /** Ends all connections. */
  public void cut() {
    sockets.forEach(FaultProxy::close);
  }

  /** How often a fault came into effect. */
  public int hits() {
    return hits.get();
  }

  private void accept() throws IOException {
    while (true) {
      Socket caller = listener.accept();
      sockets.add(caller);
      start(() -> serve(caller));
    }
  }

  private void serve(Socket caller) throws IOException {
    switch (fault) {
      case CLOSED -> {
        hits.incrementAndGet();
        close(caller);
      }
      case UNAVAILABLE -> {
        hits.incrementAndGet();
        // The request first: an answer before it would look like a broken connection.
        byte[] request = new byte[65536];
        if (caller.getInputStream().read(request) > 0) {
          caller.getOutputStream().write(ANSWER_503);
          caller.getOutputStream().flush();
        }
        caller.shutdownOutput();
        while (caller.getInputStream().read(request) > 0) {
          // Until the caller has read the answer and gone.
        }
        close(caller);
      }
      case NONE, CUT_ANSWERS, SLOW, LATE, SILENT -> {
        Socket callee = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(callee);
        start(() -> pump(caller, callee, false));
        pump(callee, caller, true);
      }
    }
  }

  private void pump(Socket from, Socket to, boolean answers) throws IOException {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[16384];
      while (true) {
        int count = in.read(buffer);
        if (count < 0) {
          return;
        }
        Fault now = fault;
        if (now == Fault.SILENT) {
          hits.incrementAndGet();
          continue;
        }
        if (now == Fault.SLOW) {
          hits.incrementAndGet();
          Thread.sleep(50);
        }
        if (now == Fault.LATE && answers) {
          hits.incrementAndGet();
          Thread.sleep(700);
        }
        if (now == Fault.CUT_ANSWERS && answers) {
          hits.incrementAndGet();
          out.write(buffer, 0, count / 2);
          out.flush();
          return;
        }
        out.write(buffer, 0, count);
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(from);
      close(to);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One of the two has gone: that is what this is for.
              }
            },
            "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() {
    close(listener);
    cut();
  }
}
