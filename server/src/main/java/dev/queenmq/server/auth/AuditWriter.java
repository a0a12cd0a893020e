package dev.queenmq.server.auth;

import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes lines from any thread and hands them on from one of its own, in the order in which they
 * came: event loops never wait for a disk or a console.
 *
 * <p>Lines that wait are bounded by their characters. When there is no more room, further lines are
 * lost and counted, and the next line that is written says how many, in their place:
 *
 * <pre>{"at":"2026-11-15T12:00:00.123Z","lost":17}</pre>
 *
 * <p>Docs: decision 041. Safe for use by several threads.
 */
public final class AuditWriter implements Consumer<String>, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AuditWriter.class);
  private static final int MOST_WAITING_CHARACTERS = 4 << 20;
  private static final Duration LAST_LINES = Duration.ofMillis(900);

  /** A line, or how many were lost at this place. */
  private record Entry(String line, long lost) {}

  private final Consumer<List<String>> target;
  private final InstantSource clock;
  private final int mostWaiting;
  private final Thread thread;
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private int waitingCharacters;
  private long lost;
  private boolean closed;

  AuditWriter(Consumer<List<String>> target, InstantSource clock, int mostWaiting) {
    this.target = target;
    this.clock = clock;
    this.mostWaiting = mostWaiting;
    thread = new Thread(this::run, "queen-audit");
    thread.setDaemon(true);
    thread.start();
  }

  /** Begins to write to a target, which is given one or more lines at a time. */
  public static AuditWriter start(Consumer<List<String>> target, InstantSource clock) {
    return new AuditWriter(target, clock, MOST_WAITING_CHARACTERS);
  }

  @Override
  public void accept(String line) {
    boolean first = false;
    synchronized (this) {
      if (closed || waitingCharacters + line.length() > mostWaiting) {
        first = lost++ == 0;
      } else {
        waiting.add(new Entry(line, lost));
        lost = 0;
        waitingCharacters += line.length();
        notifyAll();
      }
    }
    if (first) {
      log.error("Lines of the audit log are lost: they come faster than they can be written");
    }
  }

  private void run() {
    List<Entry> taken = take();
    while (!taken.isEmpty()) {
      try {
        target.accept(lines(taken));
      } catch (RuntimeException e) {
        log.error("Cannot write {} lines of the audit log", taken.size(), e);
      }
      taken = take();
    }
  }

  private List<String> lines(List<Entry> taken) {
    List<String> lines = new ArrayList<>(taken.size());
    for (Entry entry : taken) {
      if (entry.lost > 0) {
        lines.add(lossOf(entry.lost));
      }
      if (!entry.line.isEmpty()) {
        lines.add(entry.line);
      }
    }
    return lines;
  }

  private String lossOf(long count) {
    return "{\"at\":\"%s\",\"lost\":%d}"
        .formatted(clock.instant().truncatedTo(ChronoUnit.MILLIS), count);
  }

  /** All that waits, as soon as something does; nothing once there will be no more. */
  private synchronized List<Entry> take() {
    while (waiting.isEmpty() && lost == 0 && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // This thread is not ended by an interrupt; it ends when the writer is closed.
        log.debug("interrupted");
      }
    }
    List<Entry> taken = new ArrayList<>(waiting);
    waiting.clear();
    waitingCharacters = 0;
    if (lost > 0) {
      taken.add(new Entry("", lost));
      lost = 0;
    }
    return taken;
  }

  /** Writes what waits, for a second at most, and takes no more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join(LAST_LINES.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
