package dev.queenmq.server.metrics;

import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.spool.log.SpoolFigures;

/** What is on the local disk for want of PostgreSQL, as series. */
final class SpoolMetrics {
  private static final double NANOS = 1e9;

  private SpoolMetrics() {}

  static void write(PrometheusText text, SpoolStatus spool) {
    SpoolFigures figures = spool.figures();
    text.gauge("queen_file_buffer_pending", "Messages that wait on disk for PostgreSQL.")
        .sample(figures.pending());
    text.gauge("queen_file_buffer_failed", "Messages on disk that PostgreSQL refused.")
        .sample(figures.dead());
    if (!spool.present()) {
      return;
    }
    text.gauge("queen_spool_pending", "Messages that wait on disk for PostgreSQL.")
        .sample(figures.pending());
    text.gauge("queen_spool_bytes", "Bytes of the files of the spool.").sample(figures.bytes());
    text.gauge("queen_spool_max_bytes", "Bytes that the files of the spool may take.")
        .sample(spool.maxBytes());
    text.gauge("queen_spool_database_away", "Whether PostgreSQL is known to be away.")
        .sample(spool.databaseAway() ? 1 : 0);
    text.counter("queen_spool_appended_total", "Messages that were written to disk.")
        .sample(figures.appended());
    text.counter("queen_spool_replayed_total", "Messages that went from the spool to PostgreSQL.")
        .sample(spool.replayed());
    text.counter(
            "queen_spool_dead_total", "Messages of the spool that PostgreSQL refused for good.")
        .sample(spool.givenUp());
    text.gauge(
            "queen_spool_dead_bytes",
            "Bytes of the file of messages that PostgreSQL refused for good.")
        .sample(figures.deadBytes());
    text.counter("queen_spool_damaged_total", "Records of the spool that could not be read.")
        .sample(figures.damaged());
    text.counter("queen_spool_full_total", "Pushes that were refused because the spool is full.")
        .sample(figures.full());
    text.counter(
            "queen_spool_failed_total",
            "Pushes that were refused because the disk of the spool failed.")
        .sample(figures.failed());
    text.counter("queen_spool_syncs_total", "Syncs of the spool to the disk.")
        .sample(figures.syncs());
    text.counter("queen_spool_sync_seconds_total", "Time that syncs of the spool took together.")
        .sample(figures.syncNanos() / NANOS);
  }
}
