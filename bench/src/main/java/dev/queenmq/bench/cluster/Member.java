package dev.queenmq.bench.cluster;

import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessSignal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One broker of a cluster, which can be taken down and started again on the same ports. Safe for
 * any thread; who takes it down or up waits for others who do.
 */
public final class Member implements AutoCloseable {
  private final String name;
  private final Path jar;
  private final Optional<Path> parent;
  private final BrokerUrl url;
  private final Map<String, String> settings;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable BrokerProcess process;
  private volatile boolean up;
  private boolean closed;

  Member(String name, Path jar, Optional<Path> parent, int port, Map<String, String> settings) {
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

  /** Whether it is healthy and nobody has begun to take it down. */
  public boolean isUp() {
    return up;
  }

  /** Starts it and waits until it is healthy. */
  public void start() {
    start(Map.of());
  }

  /** The same with these settings beside its own, this time. */
  public void start(Map<String, String> more) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the run is over");
      }
      Map<String, String> all = new LinkedHashMap<>(settings);
      all.putAll(more);
      process = BrokerProcess.start(jar, parent, url.port(), all);
      up = true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes it down as kill -9 does. */
  public void kill() {
    lock.lock();
    try {
      up = false;
      BrokerProcess current = running();
      current.kill();
      discard(current);
    } finally {
      lock.unlock();
    }
  }

  /** Takes it down with SIGTERM; its exit code, or empty if it did not go. */
  public OptionalInt stop() {
    lock.lock();
    try {
      up = false;
      BrokerProcess current = running();
      OptionalInt code = current.stop();
      discard(current);
      return code;
    } finally {
      lock.unlock();
    }
  }

  /** The process, while it is there. */
  public OptionalLong pid() {
    lock.lock();
    try {
      return process == null ? OptionalLong.empty() : OptionalLong.of(process.pid());
    } finally {
      lock.unlock();
    }
  }

  /** Stops it in its tracks until {@link #thaw}; it does not know. */
  public void freeze() {
    up = false;
    pid().ifPresent(pid -> ProcessSignal.STOP.send(pid));
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
  public boolean isAlive() {
    lock.lock();
    try {
      return process != null && process.isAlive();
    } finally {
      lock.unlock();
    }
  }

  /** The last lines that it printed, if it is there. */
  public String tail() {
    lock.lock();
    try {
      return process == null ? "(down)" : process.tail();
    } finally {
      lock.unlock();
    }
  }

  private BrokerProcess running() {
    if (process == null) {
      throw new IllegalStateException("broker " + name + " is down");
    }
    return process;
  }

  private void discard(BrokerProcess current) {
    process = null;
    current.close();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      up = false;
      if (process != null) {
        discard(process);
      }
    } finally {
      lock.unlock();
    }
  }
}
