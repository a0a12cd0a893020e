package dev.queenmq.bench.bound;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A queue: its lanes, those with something to give, and who waits for it. */
final class BoundQueue {
  final String name;
  final Map<String, BoundLane> lanes = new HashMap<>();
  final Deque<BoundLane> ready = new ArrayDeque<>();
  final Deque<BoundPoll> polls = new ArrayDeque<>();

  BoundQueue(String name) {
    this.name = name;
  }
}
