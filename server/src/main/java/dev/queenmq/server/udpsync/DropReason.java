package dev.queenmq.server.udpsync;

/** Why a packet that arrived goes no further. */
public enum DropReason {
  /** Shorter than a header. */
  TOO_SHORT,
  /** Longer than any packet may be. */
  TOO_LONG,
  /** Of a protocol that this broker does not speak. */
  UNKNOWN_VERSION,
  /** Says another length than it has. */
  BAD_LENGTH,
  /** Altered, or signed with another secret. */
  BAD_SIGNATURE,
  /** Signed, but the sender's id is none. */
  BAD_SENDER,
  /** Signed, but from an address that is none of the peers'. */
  FOREIGN_SENDER,
  /** Sent by this very broker. */
  OWN_PACKET,
  /** Sent by another broker that goes by the same id. */
  SAME_ID,
  /** Seen before. */
  REPLAYED,
  /** Too late to know whether it was seen before. */
  OLD_SEQUENCE,
  /** From a session that is over. */
  OLD_SESSION,
  /** From one broker more than can be remembered. */
  TOO_MANY_SENDERS;

  /** Whether such packets occur in a healthy network too, so that they are not logged. */
  boolean isUsual() {
    return switch (this) {
      case REPLAYED, OLD_SEQUENCE, OWN_PACKET -> true;
      case TOO_SHORT,
          TOO_LONG,
          UNKNOWN_VERSION,
          BAD_LENGTH,
          BAD_SIGNATURE,
          BAD_SENDER,
          FOREIGN_SENDER,
          SAME_ID,
          OLD_SESSION,
          TOO_MANY_SENDERS ->
          false;
    };
  }
}
