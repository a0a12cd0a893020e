package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PopRequest;
import java.util.List;
import java.util.UUID;

/** A question to the store that is under way. The room gets it back with the answer. */
public final class Question {

  /** On behalf of a poll. */
  record Ask(Waiter waiter, PopRequest request, List<UUID> candidates) {}

  final long turn;
  final WaitGroup group;
  final List<Ask> asks;

  Question(long turn, WaitGroup group, List<Ask> asks) {
    this.turn = turn;
    this.group = group;
    this.asks = asks;
  }
}
