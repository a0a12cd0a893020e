package dev.queenmq.client.internal;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Consistent hashing of keys to servers: when a server is added or lost, only its share of the keys
 * moves. FNV-1a with 128 points a server, like the clients in other languages, so that programs in
 * different languages send a partition to the same broker.
 */
final class HashRing {
  private static final int POINTS = 128;

  private final TreeMap<Long, Integer> ring = new TreeMap<>();
  private final int servers;

  HashRing(List<URI> urls) {
    servers = urls.size();
    for (int server = 0; server < servers; server++) {
      for (int point = 0; point < POINTS; point++) {
        ring.put(hash(urls.get(server) + "#vnode" + point), server);
      }
    }
  }

  /** All servers, the one that the key belongs to first, then those that would take over. */
  List<Integer> order(String key) {
    Set<Integer> found = new LinkedHashSet<>();
    long place = hash(key);
    for (Map<Long, Integer> part : List.of(ring.tailMap(place), ring.headMap(place))) {
      for (Integer server : part.values()) {
        found.add(server);
        if (found.size() == servers) {
          return new ArrayList<>(found);
        }
      }
    }
    return new ArrayList<>(found);
  }

  /** FNV-1a, 32 bits, unsigned. */
  static long hash(String text) {
    int hash = 0x811c9dc5;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x01000193;
    }
    return Integer.toUnsignedLong(hash);
  }
}
