package dev.queenmq.server.memory;

/** What memory is reserved for. */
public enum Purpose {
  /** Bodies of requests, and what is made of them until the request is answered. */
  BODIES("bodies", 1),
  /** Messages on their way to consumers, from PostgreSQL until they are written to the socket. */
  ANSWERS("answers", 1),
  /** What operators ask for, likewise. */
  PAGES("pages", 4);

  private final String label;

  private final int share;

  Purpose(String label, int share) {
    this.label = label;
    this.share = share;
  }

  /** All reservations for it together get one part of the budget in this many. */
  int share() {
    return share;
  }

  /** Its name in metrics. */
  public String label() {
    return label;
  }
}
