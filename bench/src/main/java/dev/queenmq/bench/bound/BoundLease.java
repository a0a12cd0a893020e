package dev.queenmq.bench.bound;

import java.util.List;
import java.util.UUID;

/** Messages that a poll was given, by their transaction ids. */
final class BoundLease {
  final UUID id;
  final BoundLane lane;
  final BoundPoll poll;
  final long low;
  final long high;
  final long expires;
  List<String> transactionIds = List.of();

  BoundLease(UUID id, BoundLane lane, BoundPoll poll, long low, long high, long expires) {
    this.id = id;
    this.lane = lane;
    this.poll = poll;
    this.low = low;
    this.high = high;
    this.expires = expires;
  }
}
