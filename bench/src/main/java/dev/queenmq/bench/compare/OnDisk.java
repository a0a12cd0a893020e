package dev.queenmq.bench.compare;

/**
 * Whether a message is on the disk, past the caches of the operating system, when it is confirmed.
 */
public enum OnDisk {
  YES("yes"),
  NO("no"),
  /** Another operator has set it up. */
  UNKNOWN("not known");

  private final String text;

  OnDisk(String text) {
    this.text = text;
  }

  /** A short text for tables. */
  public String text() {
    return text;
  }
}
