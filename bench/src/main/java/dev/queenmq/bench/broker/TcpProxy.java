package dev.queenmq.bench.broker;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a broker and PostgreSQL, and lets bytes pass, late, one way or not at all. The
 * methods block until it is so, and are safe for any thread; all the rest lives on one event loop.
 */
public final class TcpProxy implements AutoCloseable {

  /** What it does with connections. */
  public enum Mode {
    /** All passes. */
    OPEN,
    /** What is there is cut, and nothing new gets in. */
    SHUT,
    /** All passes, late. */
    SLOW,
    /** Nothing passes; later all of it. */
    STUCK,
    /** What the broker says passes; what PostgreSQL says is lost, and the connection in the end. */
    DEAF,
    /** What either says is lost, and the connection in the end. */
    SILENT
  }

  private static final String HOST = "127.0.0.1";

  private final Vertx vertx;
  private final Context context;
  private final int port;
  private final NetClient client;
  private final Set<Link> links = new HashSet<>();
  private volatile int target;
  private @Nullable NetServer server;
  private Mode mode = Mode.OPEN;
  private int delayMillis;

  /** Opens at this port for the one at that port. */
  public TcpProxy(Vertx vertx, int port, int target) {
    this.vertx = vertx;
    this.port = port;
    this.target = target;
    context = Blocking.get(StoreConnection.newContext(vertx));
    client = vertx.createNetClient();
    on(this::listen);
  }

  /** Where brokers come. */
  public int port() {
    return port;
  }

  /** PostgreSQL is here from now on. */
  public void aim(int newTarget) {
    target = newTarget;
  }

  /** Changes what the proxy does from now on. */
  public void let(Mode next) {
    on(() -> change(next));
  }

  /** Delays each direction by about this long from now on. */
  public void slow(int millis) {
    on(
        () -> {
          delayMillis = millis;
          return change(Mode.SLOW);
        });
  }

  /**
   * PostgreSQL's ends of all connections are closed, but the broker does not notice: its
   * connections are dead and look alive. New ones pass.
   */
  public void forget() {
    on(
        () -> {
          Set.copyOf(links).forEach(Link::forget);
          return Future.succeededFuture();
        });
  }

  @Override
  public void close() {
    on(() -> change(Mode.SHUT).eventually(client::close));
  }

  private Future<Void> change(Mode next) {
    Mode before = mode;
    mode = next;
    if (before == Mode.DEAF || before == Mode.SILENT || next == Mode.SHUT) {
      Set.copyOf(links).forEach(Link::cut);
    }
    links.forEach(link -> link.flow(next != Mode.STUCK));
    NetServer open = server;
    if (next == Mode.SHUT && open != null) {
      server = null;
      return open.close().compose(closed -> refusing());
    }
    return next != Mode.SHUT && open == null ? listen() : Future.succeededFuture();
  }

  private Future<Void> listen() {
    NetServer opened = vertx.createNetServer();
    server = opened;
    return opened.connectHandler(this::enter).listen(port, HOST).mapEmpty();
  }

  /**
   * Done when no connection is let in: Vert.x says that a server is closed shortly before its
   * socket is.
   */
  private Future<Void> refusing() {
    return client
        .connect(port, HOST)
        .transform(
            attempt ->
                attempt.failed()
                    ? Future.succeededFuture()
                    : attempt.result().close().transform(closed -> refusing()));
  }

  private void enter(NetSocket broker) {
    broker.pause();
    client
        .connect(target, HOST)
        .onSuccess(
            postgres -> {
              if (mode == Mode.SHUT) {
                broker.close();
                postgres.close();
              } else {
                links.add(new Link(broker, postgres));
              }
            })
        .onFailure(refused -> broker.close());
  }

  private void on(Supplier<Future<Void>> task) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(
        go -> Future.succeededFuture().compose(ready -> task.get()).onComplete(done));
    Blocking.get(done.future());
  }

  /** Two sockets; for the event loop. */
  private final class Link {
    private final NetSocket broker;
    private final NetSocket postgres;
    private boolean forgotten;

    Link(NetSocket broker, NetSocket postgres) {
      this.broker = broker;
      this.postgres = postgres;
      OneWay toPostgres = new OneWay(postgres);
      OneWay toBroker = new OneWay(broker);
      broker.handler(
          bytes -> {
            if (!forgotten && mode != Mode.SILENT) {
              toPostgres.send(bytes);
            }
          });
      postgres.handler(
          bytes -> {
            if (!forgotten && mode != Mode.DEAF && mode != Mode.SILENT) {
              toBroker.send(bytes);
            }
          });
      broker.exceptionHandler(broken -> {});
      postgres.exceptionHandler(broken -> {});
      broker.closeHandler(closed -> cut());
      postgres.closeHandler(
          closed -> {
            if (!forgotten) {
              cut();
            }
          });
      flow(mode != Mode.STUCK);
    }

    void flow(boolean flows) {
      if (flows) {
        broker.resume();
        postgres.resume();
      } else {
        broker.pause();
        postgres.pause();
      }
    }

    void forget() {
      forgotten = true;
      postgres.close();
    }

    void cut() {
      links.remove(this);
      broker.close();
      postgres.close();
    }
  }

  /** What goes to one side, in its order; for the event loop. */
  private final class OneWay {
    private final NetSocket to;
    private final Deque<Departure> waiting = new ArrayDeque<>();

    OneWay(NetSocket to) {
      this.to = to;
    }

    void send(Buffer bytes) {
      if (mode != Mode.SLOW && waiting.isEmpty()) {
        to.write(bytes);
        return;
      }
      int delay =
          mode == Mode.SLOW
              ? delayMillis / 2 + ThreadLocalRandom.current().nextInt(delayMillis + 1)
              : 0;
      waiting.add(new Departure(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay), bytes));
      if (waiting.size() == 1) {
        await(waiting.getFirst());
      }
    }

    private void await(Departure next) {
      long millis = TimeUnit.NANOSECONDS.toMillis(next.due - System.nanoTime());
      vertx.setTimer(Math.max(1, millis), fired -> depart());
    }

    private void depart() {
      Departure next = waiting.peek();
      while (next != null && next.due - System.nanoTime() <= 0) {
        to.write(next.bytes);
        waiting.remove();
        next = waiting.peek();
      }
      if (next != null) {
        await(next);
      }
    }
  }

  /** Bytes, and when they go on. */
  private record Departure(long due, Buffer bytes) {}
}
