package dev.queenmq.server.udpsync;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a transport counts; from any thread. */
final class Counters {

  final LongAdder packetsSent = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  final LongAdder packetsReceived = new LongAdder();
  final LongAdder bytesReceived = new LongAdder();
  final LongAdder sendErrors = new LongAdder();
  final LongAdder tooLarge = new LongAdder();
  final LongAdder overloaded = new LongAdder();
  final LongAdder handlerFailures = new LongAdder();
  private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);

  Counters() {
    for (DropReason reason : DropReason.values()) {
      dropped.put(reason, new LongAdder());
    }
  }

  void dropped(DropReason reason) {
    LongAdder count = dropped.get(reason);
    if (count != null) {
      count.increment();
    }
  }

  Map<DropReason, Long> dropped() {
    Map<DropReason, Long> sums = new EnumMap<>(DropReason.class);
    dropped.forEach((reason, count) -> sums.put(reason, count.sum()));
    return Collections.unmodifiableMap(sums);
  }
}
