package dev.queenmq.bench.audit.ledger;

/** What must never happen. */
public enum Violation {
  LOST_PUSH("acknowledged pushes that are not stored"),
  LOST_DELIVERY("stored messages that a group never got"),
  NOT_DRAINED("messages that were not done and did not come again"),
  DELIVERED_AFTER_ACK("deliveries after an applied ack"),
  ORDER_INVERSION("first deliveries out of order"),
  PRODUCER_ORDER("messages of a producer out of its order"),
  OVERLAPPING_LEASE("two live leases on one partition and group"),
  LATE_ACK_ACCEPTED("acks accepted after the lease had run out"),
  HALF_TRANSACTION("transactions that happened by half"),
  DEAD_WITHOUT_PAYLOAD("dead letters that are missing or without their payload"),
  ADMITTED_DUPLICATE("transaction ids stored twice"),
  FALSE_DUPLICATE("new messages answered as duplicates"),
  WRONG_FIRST_ID("duplicates answered with a wrong first id"),
  PHANTOM("stored messages that no producer pushed, or not so"),
  MISSED_BY_TAIL("commits that the tail feed did not report"),
  DEADLOCK("deadlocks"),
  UNEXPECTED("errors that the audit did not provoke");

  private final String text;

  Violation(String text) {
    this.text = text;
  }

  /** The violation as a text to read. */
  public String text() {
    return text;
  }

  /** Whether clients that come this way can see it. */
  public boolean isSeen(Through way) {
    return way == Through.STORE || (this != MISSED_BY_TAIL && this != DEADLOCK);
  }
}
