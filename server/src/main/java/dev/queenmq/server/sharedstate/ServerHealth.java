package dev.queenmq.server.sharedstate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Tier 5: which other brokers are alive. A hint: one that counts as dead may only be unreachable,
 * and still hold its leases. Thread-safe.
 */
public final class ServerHealth {

  /** Called when a broker dies or restarts, on the thread that noticed it. */
  interface Listener {
    void died(String server);

    void restarted(String server);
  }

  /** The most brokers that are tracked. */
  private static final int MAX_SERVERS = 1024;

  /** How long a dead one is remembered. */
  private static final long FORGET_MILLIS = 3_600_000;

  /**
   * What is known of a broker.
   *
   * @param previousSession a straggler of the session before is not a restart
   * @param alive has sent a heartbeat, and has not been declared dead since
   */
  private record State(
      String session,
      String previousSession,
      long lastHeartbeat,
      boolean everHeard,
      boolean alive) {
    State heartbeat(long now, boolean stays) {
      return new State(session, previousSession, now, true, stays);
    }

    State restarted(String newSession) {
      return new State(newSession, session, lastHeartbeat, everHeard, alive);
    }

    State dead() {
      return new State(session, previousSession, lastHeartbeat, everHeard, false);
    }
  }

  private final Map<String, State> servers = new ConcurrentHashMap<>();
  private final LongSupplier clock;
  private final long deadMillis;
  private final Listener listener;
  private final LongAdder heartbeats = new LongAdder();
  private final LongAdder restarts = new LongAdder();

  ServerHealth(LongSupplier clock, long deadMillis, Listener listener) {
    this.clock = clock;
    this.deadMillis = deadMillis;
    this.listener = listener;
  }

  /**
   * A broker sent something.
   *
   * @return whether to listen to it: not to what is left of a session before the present one
   */
  boolean heard(String server, String session) {
    State known = servers.get(server);
    if (known != null && known.session.equals(session)) {
      return true;
    }
    if (known == null && servers.size() >= MAX_SERVERS) {
      return false;
    }
    boolean[] restarted = new boolean[1];
    State now =
        servers.compute(
            server,
            (name, state) -> {
              if (state == null) {
                return new State(session, "", clock.getAsLong(), false, false);
              }
              if (state.session.equals(session) || state.previousSession.equals(session)) {
                return state;
              }
              restarted[0] = true;
              return state.restarted(session);
            });
    if (restarted[0]) {
      restarts.increment();
      listener.restarted(server);
    }
    return now.session.equals(session);
  }

  /** A heartbeat of a broker, or its last one. */
  void heartbeat(String server, boolean leaving) {
    heartbeats.increment();
    long now = clock.getAsLong();
    servers.computeIfPresent(server, (name, state) -> state.heartbeat(now, !leaving));
    if (leaving) {
      listener.died(server);
    }
  }

  /** Whether a broker has been heard of lately. */
  public boolean alive(String server) {
    State state = servers.get(server);
    return state != null && alive(state, clock.getAsLong());
  }

  private boolean alive(State state, long now) {
    return state.alive && now - state.lastHeartbeat < deadMillis;
  }

  /** Those that have been heard of lately. */
  public List<String> living() {
    long now = clock.getAsLong();
    List<String> living = new ArrayList<>();
    servers.forEach(
        (server, state) -> {
          if (alive(state, now)) {
            living.add(server);
          }
        });
    return living;
  }

  /** Declares brokers dead that have been silent for too long. */
  void expire() {
    long now = clock.getAsLong();
    servers.forEach(
        (server, state) -> {
          if (state.alive && !alive(state, now) && servers.replace(server, state, state.dead())) {
            listener.died(server);
          }
        });
    servers.values().removeIf(state -> !state.alive && now - state.lastHeartbeat >= FORGET_MILLIS);
  }

  SharedStateStatistics.Health statistics() {
    long now = clock.getAsLong();
    long alive = servers.values().stream().filter(state -> alive(state, now)).count();
    Map<String, Instant> last = new TreeMap<>();
    servers.forEach(
        (server, state) -> {
          if (state.everHeard) {
            last.put(server, Instant.ofEpochMilli(state.lastHeartbeat));
          }
        });
    long tracked = servers.size();
    return new SharedStateStatistics.Health(
        tracked, alive, Math.max(0, tracked - alive), heartbeats.sum(), restarts.sum(), last);
  }
}
