package dev.queenmq.server.sharedstate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Cuts lists so that each piece fits into one packet. */
final class Packets {
  /** The most bytes of the header of a MessagePack text or list. */
  private static final int HEADER = 5;

  private static final int ID = 18;

  private Packets() {}

  /**
   * Pieces of a list, in its order. What is too large for a packet of its own is left out.
   *
   * @param besides bytes that the rest of each packet takes
   * @param size of an element, at most
   */
  static <T> List<List<T>> cut(List<T> list, int besides, ToIntFunction<T> size) {
    int room = SyncMessageCodec.MAX_PAYLOAD - besides;
    List<List<T>> pieces = new ArrayList<>();
    List<T> piece = new ArrayList<>();
    int used = 0;
    for (T each : list) {
      int needed = size.applyAsInt(each);
      if (needed > room) {
        continue;
      }
      if (used + needed > room) {
        pieces.add(List.copyOf(piece));
        piece.clear();
        used = 0;
      }
      piece.add(each);
      used += needed;
    }
    if (!piece.isEmpty()) {
      pieces.add(List.copyOf(piece));
    }
    return pieces;
  }

  static int size(String text) {
    int bytes = HEADER;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Half of a pair counts two: a pair takes four.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  static int size(PartitionRef partition) {
    return HEADER + size(partition.partition()) + (partition.partitionId().isPresent() ? ID : 0);
  }

  static int idSize() {
    return ID;
  }
}
