package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the PostgreSQL that takes writes among those that were configured, and notices when it is
 * another one. Safe for use by several threads.
 *
 * <p>Every new connection asks the server whether it takes writes and which one it is, before
 * anything else goes over it. The server that was found last is tried first, and the others after
 * it in their order. A server that refuses makes room for the next one at once; one that does not
 * answer does so after a short while, so that a host without power costs little. Whichever takes
 * writes first is the one; late ones are closed.
 *
 * <p><b>Generations.</b> What a broker remembers (which ids a lane has and where it ends, what
 * leases cover, how far the tail was read) is true for one history of commits. A server that was
 * promoted, restored or restarted may have another one: with an asynchronous standby, the last
 * commits are missing, and their offsets and transaction numbers are given again. So each change of
 * {@link ServerState.Identity} begins a new generation, and every class that remembers something is
 * notified. It keeps these rules: nothing that was remembered in one generation is used in a
 * statement of the next, and no answer of one generation is remembered in the next. {@link Slots}
 * sees to both for the statements of an event loop: it ends what is under way, forgets, and only
 * then sends again.
 *
 * <p>A server of a new generation is prepared before anything else uses it ({@link #beforeUse}): a
 * standby may have been promoted without the last migration. Until that has succeeded, there is no
 * connection to it; the next search tries again.
 *
 * <p>A generation is a number that only grows. It may grow without need, as when an old server
 * answers a last time: that costs what was remembered, and nothing else.
 */
public final class PrimaryFinder {
  private static final Logger LOG = LoggerFactory.getLogger(PrimaryFinder.class);

  /** After this long without an answer, the next server is asked as well. */
  private static final long STAGGER_MILLIS = 500;

  /**
   * A server.
   *
   * @param name its host and port, for the log
   * @param options how to connect
   * @param storeOptions how to connect for pushes, pops and acks
   */
  record Server(String name, PgConnectOptions options, PgConnectOptions storeOptions) {}

  /** A connection to the server that takes writes. */
  record Reached(OpenedConnection opened, long generation) {}

  /** Makes a connection. */
  @FunctionalInterface
  interface Login {
    Future<OpenedConnection> to(Server server);
  }

  /** Makes a server ready for use. */
  @FunctionalInterface
  public interface Preparation {
    Future<Void> of(PgConnectOptions server);
  }

  private final Vertx vertx;
  private final List<Server> servers;
  private final boolean pooled;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private int last;
  private Optional<ServerState.Identity> known;
  private volatile long generation = 1;
  private boolean missing;
  private Preparation preparation = server -> Future.succeededFuture();
  private long preparing = 1;
  private Future<Void> prepared = Future.succeededFuture();

  /**
   * A finder.
   *
   * @param pooled whether something stands in between that may change the server under a connection
   * @param last the place of the one that took writes last
   * @param known which one that was; empty if it is not known yet
   */
  PrimaryFinder(
      Vertx vertx,
      List<Server> servers,
      boolean pooled,
      int last,
      Optional<ServerState.Identity> known) {
    this.vertx = vertx;
    this.servers = List.copyOf(servers);
    this.pooled = pooled;
    this.last = last;
    this.known = known;
  }

  /** Of a single server, of which nothing is known yet. */
  public static PrimaryFinder of(Vertx vertx, PgConnectOptions options) {
    String name = options.getHost() + ":" + options.getPort();
    return new PrimaryFinder(
        vertx, List.of(new Server(name, options, options)), false, 0, Optional.empty());
  }

  /** Called for each new generation, on the thread that noticed it; must not block. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** What the server of each generation after this one needs before it is used. */
  public synchronized void beforeUse(Preparation steps) {
    preparation = steps;
    preparing = generation;
  }

  /** Grows with each change of the server. */
  public long generation() {
    return generation;
  }

  /** How to connect to the server that took writes last. */
  public synchronized PgConnectOptions options() {
    return servers.get(last).options();
  }

  /** Whether the server may change under a connection that stays. */
  boolean isPooled() {
    return pooled;
  }

  /** Connects to the server that takes writes; fails if there is none. */
  Future<Reached> connect(Login login) {
    Search search = new Search(login, order());
    search.next();
    return search.found.future();
  }

  /** Looks again at what a connection reaches; fails if that takes no writes any more. */
  Future<Long> check(PgConnection connection) {
    return ServerState.of(connection)
        .compose(
            state ->
                state.takesWrites()
                    ? ready(place(), observed(place(), state.identity()))
                    : Future.failedFuture(NoPrimaryException.of(state)));
  }

  /**
   * Completes with the generation once its server is prepared. Those that ask meanwhile share one
   * attempt; after a failure the next one makes another.
   */
  private Future<Long> ready(int place, long now) {
    Promise<Void> begun = Promise.promise();
    Preparation steps;
    synchronized (this) {
      if (preparing == now && !prepared.failed()) {
        return prepared.map(now);
      }
      preparing = now;
      prepared = begun.future();
      steps = preparation;
    }
    steps.of(servers.get(place).options()).onComplete(begun);
    return begun.future().map(now);
  }

  private synchronized int place() {
    return last;
  }

  /** The places of the servers, that of the last one first. */
  private synchronized Deque<Integer> order() {
    Deque<Integer> order = new ArrayDeque<>();
    order.add(last);
    for (int i = 0; i < servers.size(); i++) {
      if (i != last) {
        order.add(i);
      }
    }
    return order;
  }

  /** A server takes writes; answers the generation that it belongs to. */
  private long observed(int place, ServerState.Identity identity) {
    Server server = servers.get(place);
    synchronized (this) {
      boolean found = missing;
      boolean moved = last != place;
      missing = false;
      last = place;
      if (known.isEmpty() || known.get().equals(identity)) {
        known = Optional.of(identity);
        if (found) {
          LOG.info("PostgreSQL at {} takes writes", server.name());
        }
        return generation;
      }
      known = Optional.of(identity);
      generation++;
      LOG.warn(
          "PostgreSQL at {} takes the writes now (it {}): what was remembered of the one before is"
              + " dropped",
          server.name(),
          moved ? "is another server" : "was restarted, promoted or replaced");
    }
    listeners.forEach(Runnable::run);
    return generation;
  }

  /** Says so once, until one is found. */
  private void report(Throwable why) {
    if (why instanceof NoPrimaryException) {
      synchronized (this) {
        if (missing) {
          return;
        }
        missing = true;
      }
      LOG.error("{}. Trying again until one does", why.getMessage());
    }
  }

  /** One search: attempts at several servers, of which the first that takes writes counts. */
  private final class Search {
    private final Login login;
    private final Deque<Integer> left;
    private final List<Fault> faults = new ArrayList<>();
    private final Promise<Reached> found = Promise.promise();

    private record Fault(String server, Throwable why) {}

    Search(Login login, Deque<Integer> left) {
      this.login = login;
      this.left = left;
    }

    /** Tries the next server, if there is one. */
    void next() {
      Integer place;
      synchronized (this) {
        place = left.poll();
        if (place == null || found.future().isComplete()) {
          return;
        }
      }
      boolean[] moved = new boolean[1];
      if (servers.size() > 1) {
        vertx.setTimer(STAGGER_MILLIS, late -> once(moved));
      }
      attempt(place)
          .onComplete(
              done -> {
                if (done.failed()) {
                  failed(place, done.cause());
                  once(moved);
                }
              });
    }

    /** Whichever comes first, a refusal or the end of patience, makes room for the next. */
    private void once(boolean[] moved) {
      synchronized (this) {
        if (moved[0]) {
          return;
        }
        moved[0] = true;
      }
      next();
    }

    private Future<Void> attempt(int place) {
      return login
          .to(servers.get(place))
          .compose(
              opened ->
                  ServerState.of(opened.connection())
                      .compose(state -> judge(place, opened, state))
                      .onFailure(failure -> opened.close()));
    }

    private Future<Void> judge(int place, OpenedConnection opened, ServerState state) {
      if (found.future().isComplete()) {
        return opened.close();
      }
      if (!state.takesWrites()) {
        return Future.failedFuture(NoPrimaryException.of(state));
      }
      return ready(place, observed(place, state.identity()))
          .onSuccess(
              now -> {
                if (!found.tryComplete(new Reached(opened, now))) {
                  opened.close();
                }
              })
          .mapEmpty();
    }

    private void failed(int place, Throwable why) {
      Throwable all;
      synchronized (this) {
        faults.add(new Fault(servers.get(place).name(), why));
        if (faults.size() < servers.size()) {
          return;
        }
        all = servers.size() == 1 ? why : none();
      }
      report(all);
      found.tryFail(all);
    }

    private NoPrimaryException none() {
      Map<String, Throwable> each = new LinkedHashMap<>();
      faults.forEach(fault -> each.put(fault.server(), fault.why()));
      return NoPrimaryException.of(each);
    }
  }
}
