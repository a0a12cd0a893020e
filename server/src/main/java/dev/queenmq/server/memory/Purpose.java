package dev.queenmq.server.memory;

/** What memory is reserved for. */
public enum Purpose {
  /** Bodies of requests, and what is made of them until the request is answered. */
  BODIES("bodies");

  private final String label;

  Purpose(String label) {
    this.label = label;
  }

  /** Its name in metrics. */
  public String label() {
    return label;
  }
}
