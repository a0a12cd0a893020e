package dev.queenmq.bench.audit.ledger;

import java.util.Optional;

/** What an audit counts. */
public enum Count {
  PUSHED("messages pushed"),
  PUSH_CALLS("push calls"),
  PUSHES_AGAIN("pushes repeated because no answer was heard"),
  BUFFERED("messages taken into a broker's spool", Through.HTTP),
  UNKNOWN("messages given up without an answer, which may be stored or not", Through.HTTP),
  DUPLICATES("answered as duplicates"),
  PRODUCERS_CUT("producers that cut their connection in a push", Through.HTTP),
  ROLLBACKS("pushes rolled back by the client", Through.STORE),
  POPS("pops"),
  EMPTY_POPS("pops that brought nothing"),
  WAITS_CUT("consumers that cut their connection while they waited", Through.HTTP),
  DELIVERED("messages delivered"),
  DEATHS("consumers that died before the ack"),
  ACKS_CUT("consumers that cut their connection in the ack", Through.HTTP),
  LATE("consumers that came late"),
  EXTENSIONS("leases extended"),
  ACKED("acknowledged"),
  FAILED("failed or to be tried again"),
  DEAD("dead letters"),
  TRANSACTIONS("transactions that happened"),
  TRANSACTIONS_BACK("transactions that were refused"),
  LOST_LEASES("acks and extensions refused because the lease was lost"),
  TAIL_LOOKS("looks at the tail", Through.STORE),
  RECONCILE_PAGES("pages reconciled", Through.STORE),
  CANCELLED("statements cancelled", Through.STORE),
  TERMINATED("connections cut", Through.STORE),
  CRASHES("kills of PostgreSQL", Through.STORE),
  POSTGRES_RECOVERIES("recoveries of PostgreSQL after a kill", Through.STORE),
  CALLS_FAILED("calls that failed though they were not cut"),
  STORED("messages stored at the end"),
  DEAD_LETTERS_AT_END("dead letters at the end"),
  AUTO_LOST("autoAck messages lost with an answer", Through.STORE);

  private final String text;
  private final Optional<Through> only;

  Count(String text) {
    this.text = text;
    only = Optional.empty();
  }

  Count(String text, Through only) {
    this.text = text;
    this.only = Optional.of(only);
  }

  /** The count as a text to read. */
  public String text() {
    return text;
  }

  /** Whether clients that come this way can count it. */
  public boolean isSeen(Through way) {
    return only.isEmpty() || only.get() == way;
  }
}
