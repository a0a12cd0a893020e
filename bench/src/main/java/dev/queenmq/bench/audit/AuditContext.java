package dev.queenmq.bench.audit;

import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.audit.ledger.Ledger;
import dev.queenmq.bench.audit.ledger.Names;

/** What all workers of an audit share. All of them live on one event loop. */
final class AuditContext {
  /** What workers do. */
  enum Phase {
    /** Producers and consumers misbehave in all ways. */
    RUN,
    /** No pushes; consumers behave. */
    DRAIN,
    /** It is over. */
    STOP
  }

  private final EventLoop loop;
  private final AuditSettings settings;
  private final Names names;
  private final Ledger ledger;
  private volatile Phase phase = Phase.RUN;

  AuditContext(EventLoop loop, AuditSettings settings, Names names, Ledger ledger) {
    this.loop = loop;
    this.settings = settings;
    this.names = names;
    this.ledger = ledger;
  }

  EventLoop loop() {
    return loop;
  }

  AuditSettings settings() {
    return settings;
  }

  Names names() {
    return names;
  }

  Ledger ledger() {
    return ledger;
  }

  Phase phase() {
    return phase;
  }

  boolean isRunning() {
    return phase == Phase.RUN;
  }

  void enter(Phase next) {
    phase = next;
  }
}
