package dev.queenmq.bench.audit.ledger;

/** The way by which clients reach what is audited. */
public enum Through {
  STORE,
  HTTP
}
