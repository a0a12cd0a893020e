package dev.queenmq.cli;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * How far long work is: a bar for people at a terminal, nothing for scripts. Written to the error
 * output, so that results can be piped.
 */
public final class Progress implements AutoCloseable {
  private static final int BAR = 30;
  private static final long EVERY_NANOS = 100_000_000;

  private final PrintWriter err;
  private final boolean shown;
  private final String verb;
  private final long total;
  private final long started = System.nanoTime();
  private long done;
  private long last;

  /**
   * Work that begins.
   *
   * @param verb what happened to what is counted, for example {@code imported}
   * @param total how much there is; 0 if that is not known
   */
  public Progress(Session session, String verb, long total) {
    this.err = session.terminal().err();
    this.shown = session.terminal().interactive() && !session.json();
    this.verb = verb;
    this.total = total;
  }

  /** Adds to what is done. */
  public void add(long more) {
    done += more;
    long now = System.nanoTime();
    if (shown && now - last > EVERY_NANOS) {
      last = now;
      draw(now);
    }
  }

  /** How much is done. */
  public long done() {
    return done;
  }

  private void draw(long now) {
    double seconds = Math.max(0.001, (now - started) / 1e9);
    String rate = String.format(Locale.ROOT, "%,.0f/s", done / seconds);
    String count = String.format(Locale.ROOT, "%,d", done);
    if (total > 0) {
      double share = Math.min(1.0, (double) done / total);
      int full = (int) Math.round(share * BAR);
      err.print(
          String.format(
              Locale.ROOT,
              "\r[%s%s] %3.0f%%  %s of %,d %s  %s ",
              "#".repeat(full),
              " ".repeat(BAR - full),
              share * 100,
              count,
              total,
              verb,
              rate));
    } else {
      err.print("\r" + count + " " + verb + "  " + rate + " ");
    }
    err.flush();
  }

  @Override
  public void close() {
    if (shown) {
      draw(System.nanoTime());
      err.println();
    }
  }
}
