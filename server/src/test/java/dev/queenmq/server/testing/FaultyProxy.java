package dev.queenmq.server.testing;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.config.values.PostgresEndpoint;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A line to PostgreSQL that can be disturbed. */
public final class FaultyProxy implements AutoCloseable {

  /** What happens to a new connection. */
  public enum Fault {
    NONE,
    /** It is closed at once. */
    CLOSED,
    /** It is accepted, and nothing ever comes back. */
    SILENT
  }

  private final PostgresEndpoint target;
  private final NetServer server;
  private final NetClient client;
  private final AtomicInteger connections = new AtomicInteger();
  private final Queue<NetSocket> callers = new ConcurrentLinkedQueue<>();
  private final Map<NetSocket, NetSocket> pipes = new ConcurrentHashMap<>();
  private volatile Fault fault;

  /** Listens on a free port of loopback. */
  public FaultyProxy(Vertx vertx, PostgresEndpoint target, Fault fault) {
    this.target = target;
    this.fault = fault;
    this.client = vertx.createNetClient();
    this.server = vertx.createNetServer().connectHandler(this::connected);
    await(server.listen(0, "127.0.0.1"));
  }

  /** The same database through this line. */
  public PostgresEndpoint endpoint() {
    return new PostgresEndpoint(
        "127.0.0.1",
        server.actualPort(),
        target.database(),
        target.user(),
        target.password(),
        target.tls());
  }

  /** From now on. */
  public void set(Fault next) {
    fault = next;
  }

  /** Ends the connections that were made so far. */
  public void cut() {
    callers.forEach(NetSocket::end);
    callers.clear();
  }

  /** PostgreSQL loses the connections that were made so far, and the callers are not told. */
  public void forget() {
    pipes.forEach(
        (callee, caller) -> {
          pipes.remove(callee);
          callee.end();
        });
  }

  /**
   * Loses what PostgreSQL says on the connections that were made so far; what is said to it still
   * arrives.
   */
  public void loseReplies() {
    pipes.keySet().forEach(callee -> callee.handler(lost -> {}));
  }

  /** Connections that were made so far. */
  public int connections() {
    return connections.get();
  }

  private void connected(NetSocket caller) {
    connections.incrementAndGet();
    callers.add(caller);
    switch (fault) {
      case CLOSED -> caller.end();
      case SILENT -> caller.handler(ignored -> {});
      case NONE -> pipe(caller);
    }
  }

  private void pipe(NetSocket caller) {
    caller.pause();
    client
        .connect(target.port(), target.host())
        .onSuccess(
            callee -> {
              pipes.put(callee, caller);
              caller.handler(callee::write).closeHandler(gone -> callee.end());
              callee.handler(caller::write).closeHandler(gone -> ended(callee));
              caller.resume();
            })
        .onFailure(refused -> caller.end());
  }

  private void ended(NetSocket callee) {
    NetSocket caller = pipes.remove(callee);
    if (caller != null) {
      caller.end();
    }
  }

  @Override
  public void close() {
    await(server.close());
    await(client.close());
  }
}
