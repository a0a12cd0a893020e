package dev.queenmq.bench.cluster;

/** How brokers hear of each other. */
public enum Sync {
  /** Not at all; each looks at PostgreSQL. */
  OFF,
  /** By UDP, directly. */
  DIRECT,
  /** By UDP, through a {@link UdpChaos}. */
  PROXIED,
  /** By UDP, through a {@link UdpChaos}, with a {@link Liar} among them. */
  LIED_TO;

  /** Whether a {@link UdpChaos} stands between them. */
  boolean proxied() {
    return this == PROXIED || this == LIED_TO;
  }

  /** The kind as a text to read. */
  String text() {
    return this == OFF ? "off" : "on";
  }
}
