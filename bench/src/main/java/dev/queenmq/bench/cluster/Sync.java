package dev.queenmq.bench.cluster;

/** How brokers hear of each other. */
public enum Sync {
  /** Not at all; each looks at PostgreSQL. */
  OFF,
  /** By UDP, directly. */
  DIRECT,
  /** By UDP, through a {@link UdpChaos}. */
  PROXIED;

  /** For people. */
  String text() {
    return this == OFF ? "off" : "on";
  }
}
