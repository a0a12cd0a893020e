package dev.queenmq.server.sidecar.waiting;

/** Where a poll stands. */
enum WaiterState {
  /** It waits, and the store is not being asked on its behalf. */
  WAITING,
  /** The store is being asked for it. */
  ASKED,
  /** It waits no longer: it goes as soon as PostgreSQL has said that there is nothing. */
  LEAVING,
  /** The same, and the store is being asked for it. */
  LEAVING_ASKED,
  /** Its client has gone while the store is asked: messages that come are returned. */
  CANCELLED,
  /** It has its answer. */
  DONE;

  private static final Transitions<WaiterState> TABLE =
      new Transitions<>(WaiterState.class)
          .from(WAITING, ASKED, LEAVING, DONE)
          .from(ASKED, WAITING, LEAVING_ASKED, CANCELLED, DONE)
          .from(LEAVING, LEAVING_ASKED, DONE)
          .from(LEAVING_ASKED, LEAVING, CANCELLED, DONE)
          .from(CANCELLED, DONE);

  WaiterState next(WaiterState to) {
    return TABLE.next(this, to);
  }
}
