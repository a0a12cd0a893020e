package dev.queenmq.server.spool.log;

import java.util.concurrent.atomic.LongAdder;

/** What a spool has done since it was opened. Safe for any thread. */
final class Counts {
  final LongAdder appended = new LongAdder();
  final LongAdder settled = new LongAdder();
  final LongAdder damaged = new LongAdder();
  final LongAdder full = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder syncs = new LongAdder();
  final LongAdder syncNanos = new LongAdder();
}
