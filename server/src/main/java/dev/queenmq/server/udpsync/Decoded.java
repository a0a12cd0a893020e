package dev.queenmq.server.udpsync;

/** What became of some bytes that arrived. */
public sealed interface Decoded {

  /** They are a packet, signed with our secret. Whether it was seen before is another question. */
  record Genuine(Packet packet) implements Decoded {}

  /** They are not. */
  record Dropped(DropReason reason) implements Decoded {}
}
