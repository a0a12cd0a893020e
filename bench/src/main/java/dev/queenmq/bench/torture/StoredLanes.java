package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchDatabase;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a server has stored of a queue.
 *
 * @param lanes the transaction ids of each lane, by offset
 * @param wrongs where offsets were given twice or left out
 */
record StoredLanes(Map<String, List<String>> lanes, List<String> wrongs) {

  static StoredLanes read(BenchDatabase database, String queue) {
    Map<String, List<String>> lanes = new HashMap<>();
    List<String> wrongs = new ArrayList<>();
    for (Row row :
        database.query(
            """
            select p.name, p.next_offset, s.base_offset, s.transaction_ids
            from queen.queues q
            join queen.partitions p on p.queue_id = q.id
            left join queen.segments s on s.shard = p.shard and s.partition_id = p.id
            where q.name = '%s'
            order by p.name, s.base_offset\
            """
                .formatted(queue))) {
      List<String> ids = lanes.computeIfAbsent(row.getString(0), name -> new ArrayList<>());
      Long base = row.getLong(2);
      if (base != null) {
        if (base != ids.size()) {
          wrongs.add(
              "%s: a segment begins at offset %d, after %d messages"
                  .formatted(row.getString(0), base, ids.size()));
        }
        ids.addAll(List.of(row.getArrayOfStrings(3)));
      }
    }
    lanes.forEach(
        (lane, ids) -> {
          Set<String> seen = new HashSet<>();
          ids.stream()
              .filter(id -> !seen.add(id))
              .forEach(id -> wrongs.add("%s: %s is stored twice".formatted(lane, id)));
        });
    return new StoredLanes(lanes, wrongs);
  }

  Set<String> ids() {
    Set<String> all = new HashSet<>();
    lanes.values().forEach(all::addAll);
    return all;
  }

  /** The lanes that do not begin with what these hold. */
  List<String> notStartingWith(StoredLanes before) {
    return before.lanes.entrySet().stream()
        .filter(
            lane -> {
              List<String> own = lanes.getOrDefault(lane.getKey(), List.of());
              int count = lane.getValue().size();
              return own.size() < count || !own.subList(0, count).equals(lane.getValue());
            })
        .map(Map.Entry::getKey)
        .toList();
  }
}
