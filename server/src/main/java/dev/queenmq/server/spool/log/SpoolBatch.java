package dev.queenmq.server.spool.log;

import dev.queenmq.server.spool.log.DeadFile.DeadEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The oldest entries of a spool, in the order in which they were appended. Never empty. */
public final class SpoolBatch {
  private final Segment segment;
  private final List<Item> items = new ArrayList<>();
  private final List<SpoolEntry> entries = new ArrayList<>();
  private final List<DeadEntry> unreadable = new ArrayList<>();
  private long bytes;
  private Position end;

  SpoolBatch(Segment segment, Position start) {
    this.segment = segment;
    this.end = start;
  }

  /** What is to be stored. */
  public List<SpoolEntry> entries() {
    return Collections.unmodifiableList(entries);
  }

  void add(SpoolEntry entry, EntryCodec.Stored stored, int bodyBytes, long sequence) {
    entries.add(entry);
    items.add(new Item(stored, sequence));
    bytes += bodyBytes;
  }

  void addUnreadable(DeadEntry entry) {
    unreadable.add(entry);
  }

  /** All before this is in it. */
  void endsAt(Position position) {
    end = position;
  }

  boolean hasRoom(int bodyBytes, int maxEntries, long maxBytes) {
    return entries.isEmpty() || (entries.size() < maxEntries && bytes + bodyBytes <= maxBytes);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  Segment segment() {
    return segment;
  }

  Position end() {
    return end;
  }

  /** Records in it, with those that were not given out. */
  int records() {
    return items.size() + unreadable.size();
  }

  List<Item> items() {
    return items;
  }

  /** Those that were not given out, and these. */
  List<DeadEntry> dead(Map<Integer, String> reasons) {
    List<DeadEntry> dead = new ArrayList<>(unreadable);
    new TreeMap<>(reasons)
        .forEach((place, reason) -> dead.add(DeadEntry.of(items.get(place).stored, reason)));
    return dead;
  }

  /** An entry as it is on the disk. */
  record Item(EntryCodec.Stored stored, long sequence) {}
}
