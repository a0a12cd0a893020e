package dev.queenmq.bench.httpaudit;

/** What an audit counts. */
public enum Count {
  PUSHED("messages pushed"),
  PUSH_CALLS("push calls"),
  PUSHES_AGAIN("pushes repeated because no answer was heard"),
  BUFFERED("messages taken into a broker's spool"),
  UNKNOWN("messages given up without an answer, which may be stored or not"),
  DUPLICATES("answered as duplicates"),
  PRODUCERS_CUT("producers that cut their connection in a push"),
  POPS("pops"),
  EMPTY_POPS("pops that brought nothing"),
  WAITS_CUT("consumers that cut their connection while they waited"),
  DELIVERED("messages delivered"),
  DEATHS("consumers that cut their connection before the ack"),
  ACKS_CUT("consumers that cut their connection in the ack"),
  LATE("consumers that came late"),
  EXTENSIONS("leases extended"),
  ACKED("acknowledged"),
  FAILED("failed or to be tried again"),
  DEAD("dead letters"),
  TRANSACTIONS("transactions that happened"),
  TRANSACTIONS_BACK("transactions that were refused"),
  LOST_LEASES("verdicts and extensions refused because the lease was lost"),
  CALLS_FAILED("calls that failed though nobody cut them");

  private final String text;

  Count(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
