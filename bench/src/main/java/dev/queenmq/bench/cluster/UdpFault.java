package dev.queenmq.bench.cluster;

/** What can become of a packet between two brokers. */
public enum UdpFault {
  RECEIVED("packets sent by brokers"),
  SENT("packets given to brokers"),
  BLOCKED("blocked"),
  DROPPED("dropped"),
  DELAYED("delayed"),
  DUPLICATED("duplicated"),
  REORDERED("sent behind the next one"),
  TRUNCATED("truncated"),
  FLIPPED("with flipped bits"),
  REPLAYED("replayed");

  private final String text;

  UdpFault(String text) {
    this.text = text;
  }

  /** The fault as a text to read. */
  public String text() {
    return text;
  }
}
