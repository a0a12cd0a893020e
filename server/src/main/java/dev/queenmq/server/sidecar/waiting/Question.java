package dev.queenmq.server.sidecar.waiting;

import java.util.List;

/** A question to the store that is under way. The room gets it back with the answer. */
public final class Question {

  final long turn;
  final WaitGroup group;
  final List<Ask> asks;

  Question(long turn, WaitGroup group, List<Ask> asks) {
    this.turn = turn;
    this.group = group;
    this.asks = asks;
  }
}
