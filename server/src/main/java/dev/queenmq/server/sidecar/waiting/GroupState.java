package dev.queenmq.server.sidecar.waiting;

/** What a group of polls does. One question at a time serves all of them. */
enum GroupState {
  /** Nothing is under way. */
  IDLE,
  /** The group's first contact with the queue is being recorded. */
  CONTACTING,
  /** The store is asked for messages. */
  ASKING;

  private static final Transitions<GroupState> TABLE =
      new Transitions<>(GroupState.class)
          .from(IDLE, CONTACTING, ASKING)
          .from(CONTACTING, IDLE)
          .from(ASKING, IDLE);

  GroupState next(GroupState to) {
    return TABLE.next(this, to);
  }
}
