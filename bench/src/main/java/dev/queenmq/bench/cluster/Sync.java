package dev.queenmq.bench.cluster;

/** How brokers hear of each other. */
public enum Sync {
  /** Not at all; each looks at PostgreSQL. */
  OFF,
  /** By UDP, directly. */
  DIRECT,
  /** By UDP, through a {@link UdpChaos}. */
  PROXIED,
  /** By UDP, directly, with a {@link Liar} among them. */
  LIED_TO;

  /** For people. */
  String text() {
    return this == OFF ? "off" : "on";
  }
}
