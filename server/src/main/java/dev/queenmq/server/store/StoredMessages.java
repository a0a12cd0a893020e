package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds out which messages are stored already, for a broker that sent them before and got no
 * answer: {@code stored_v1}. What a push would recognise by its transaction id is not looked for.
 * Safe for use by several threads.
 */
public final class StoredMessages {
  private static final String SQL = "select queen.stored_v1($1, $2, $3, $4, $5)";

  /** By how much clocks may run apart, or be set back, between two readings. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private static final long LONGEST_SECONDS = Integer.MAX_VALUE;

  /**
   * A message that may be stored.
   *
   * @param age since it can have been, at most
   */
  public record Suspect(Message message, Duration age) {}

  private final StoreClient client;
  private final short shard;

  /** Asks through this client. */
  public StoredMessages(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  /** The ids of those that are stored, as far as nothing else would find out. */
  public Future<Set<UUID>> among(List<Suspect> suspects) {
    Map<PartitionName, Integer> places = new LinkedHashMap<>();
    for (Suspect suspect : suspects) {
      Message message = suspect.message();
      places.merge(
          new PartitionName(message.queue(), message.partition()), seconds(suspect), Math::max);
    }
    return client
        .call(
            SQL,
            Tuple.of(shard)
                .addArrayOfString(
                    places.keySet().stream().map(PartitionName::queue).toArray(String[]::new))
                .addArrayOfString(
                    places.keySet().stream().map(PartitionName::partition).toArray(String[]::new))
                .addArrayOfInteger(places.values().toArray(Integer[]::new))
                .addArrayOfUUID(
                    suspects.stream().map(each -> each.message().id()).toArray(UUID[]::new)))
        .recover(Failures::translate)
        .map(rows -> ids(rows.iterator().next()));
  }

  private static int seconds(Suspect suspect) {
    long seconds = Math.max(0, suspect.age().toSeconds()) + MARGIN.toSeconds();
    return (int) Math.min(LONGEST_SECONDS, seconds);
  }

  private static Set<UUID> ids(Row row) {
    return new HashSet<>(List.of(row.getArrayOfUUIDs(0)));
  }
}
