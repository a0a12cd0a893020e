package dev.queenmq.bench.broker;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A broker which can be taken down and started again on the same port, for itself or as a member of
 * a cluster. Safe for any thread; calls that take it down or up wait for each other.
 */
public final class Member implements AutoCloseable {
  private final String name;
  private final Path jar;
  private final Optional<Path> parent;
  private final BrokerUrl url;
  private final Map<String, String> settings;
  private @Nullable BrokerProcess process;
  private volatile boolean up;
  private boolean closed;

  /** Nothing is started yet. */
  public Member(
      String name, Path jar, Optional<Path> parent, int port, Map<String, String> settings) {
    this.name = name;
    this.jar = jar;
    this.parent = parent;
    this.settings = Map.copyOf(settings);
    url = new BrokerUrl("127.0.0.1", port, "");
  }

  /** What people call it. */
  public String name() {
    return name;
  }

  /** Where it answers when it is up. */
  public BrokerUrl url() {
    return url;
  }

  /** Whether it is healthy and is not being taken down. */
  public boolean isUp() {
    return up;
  }

  /** Starts it and waits until it is healthy. */
  public void start() {
    start(Map.of());
  }

  /** The same with these settings beside its own, this time. */
  public synchronized void start(Map<String, String> more) {
    begin(more).healthy();
    up = true;
  }

  /** Starts it and waits until it answers: it may be without its PostgreSQL. */
  public synchronized void startUnhealthy() {
    begin(Map.of());
  }

  private BrokerProcess begin(Map<String, String> more) {
    if (closed) {
      throw new IllegalStateException("the run is over");
    }
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putAll(more);
    BrokerProcess begun = BrokerProcess.startUnhealthy(jar, parent, url.port(), all);
    process = begun;
    return begun;
  }

  /** Waits until it is healthy. */
  public synchronized void awaitHealth() {
    running().healthy();
    up = true;
  }

  /** Takes it down as kill -9 does. */
  public synchronized void kill() {
    up = false;
    running().process().kill();
    discard();
  }

  /** Takes it down with SIGTERM; its exit code, or empty if it did not go. */
  public synchronized OptionalInt stop() {
    up = false;
    OptionalInt code = running().process().stop();
    discard();
    return code;
  }

  /** The process, while it is there. */
  public synchronized OptionalLong pid() {
    return process == null ? OptionalLong.empty() : OptionalLong.of(process.process().pid());
  }

  /** Stops it in its tracks until {@link #thaw}; it does not know. */
  public void freeze() {
    up = false;
    pid().ifPresent(ProcessSignal.STOP::send);
  }

  /** Lets it go on. */
  public void thaw() {
    pid()
        .ifPresent(
            pid -> {
              ProcessSignal.CONT.send(pid);
              up = true;
            });
  }

  /** Whether its process runs; one that ended by itself is a fault of the broker. */
  public synchronized boolean isAlive() {
    return process != null && process.process().isAlive();
  }

  /** The last lines that it printed, if it is there. */
  public synchronized String tail() {
    return process == null ? "(down)" : process.process().tail();
  }

  private BrokerProcess running() {
    if (process == null) {
      throw new IllegalStateException("broker " + name + " is down");
    }
    return process;
  }

  private void discard() {
    if (process != null) {
      process.close();
      process = null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    up = false;
    discard();
  }
}
