package dev.queenmq.bench.spool;

import dev.queenmq.bench.Blocking;
import dev.queenmq.embedded.PostgresAddress;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The line between a broker and its PostgreSQL, which can be disturbed. Safe for any thread. */
final class Line implements AutoCloseable {

  /** How the line is. */
  enum State {
    OPEN,
    /** Connections end, and no new one lives. */
    CUT,
    /** Connections stay, and nothing passes. */
    SILENT,
    /** Questions pass, and answers do not: what was asked happens, and nobody knows. */
    DEAF
  }

  private final PostgresAddress target;
  private final NetClient client;
  private final NetServer server;
  private final Queue<NetSocket> callers = new ConcurrentLinkedQueue<>();
  private volatile State state = State.OPEN;

  Line(Vertx vertx, PostgresAddress target) {
    this.target = target;
    client = vertx.createNetClient();
    server = vertx.createNetServer().connectHandler(this::connected);
    Blocking.get(server.listen(0, "127.0.0.1"));
  }

  int port() {
    return server.actualPort();
  }

  /** From now on. Connections that may have missed something end when it is open again. */
  void set(State next) {
    state = next;
    if (next == State.CUT || next == State.OPEN) {
      for (NetSocket caller = callers.poll(); caller != null; caller = callers.poll()) {
        caller.close();
      }
    }
  }

  private void connected(NetSocket caller) {
    callers.add(caller);
    State now = state;
    if (now == State.CUT) {
      caller.close();
    } else if (now == State.OPEN) {
      caller.pause();
      client
          .connect(target.port(), target.host())
          .onSuccess(callee -> join(caller, callee))
          .onFailure(refused -> caller.close());
    } else {
      caller.handler(ignored -> {});
    }
  }

  private void join(NetSocket caller, NetSocket callee) {
    caller.handler(bytes -> pass(bytes, callee, state != State.SILENT));
    callee.handler(bytes -> pass(bytes, caller, state == State.OPEN));
    caller.closeHandler(gone -> callee.close());
    callee.closeHandler(gone -> caller.close());
    caller.exceptionHandler(broken -> callee.close());
    callee.exceptionHandler(broken -> caller.close());
    caller.resume();
  }

  private static void pass(Buffer bytes, NetSocket to, boolean passes) {
    if (passes) {
      to.write(bytes);
    }
  }

  @Override
  public void close() {
    Blocking.get(server.close());
    Blocking.get(client.close());
  }
}
