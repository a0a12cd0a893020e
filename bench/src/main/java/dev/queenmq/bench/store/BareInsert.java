package dev.queenmq.bench.store;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Message;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The least that storing segments can cost: one INSERT of the finished arrays, a row per partition,
 * into a table like {@code queen.segments}. No offsets given out, nothing deduplicated, no consumer
 * notified. The arrays are made off the clock.
 */
final class BareInsert extends Contender.Prepared {
  static final String TABLE = "create table bench.bare (like queen.segments including all)";
  private static final int COLUMNS = 11;

  private final Map<String, Long> nextOffsets = new HashMap<>();

  BareInsert(StoreConnection on, int partitions) {
    super(
        "bare insert of the arrays",
        on,
        IntStream.range(0, partitions)
            .mapToObj(BareInsert::placeholders)
            .collect(Collectors.joining(", ", "insert into bench.bare values ", "")));
  }

  private static String placeholders(int row) {
    return IntStream.rangeClosed(1, COLUMNS)
        .mapToObj(column -> "$" + (row * COLUMNS + column))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  @Override
  void check(RowSet<Row> rows, Batch batch) {
    // PostgreSQL has taken it.
  }

  @Override
  Tuple arguments(Batch batch) {
    Map<String, List<Message>> byPartition = new LinkedHashMap<>();
    batch
        .messages()
        .forEach(m -> byPartition.computeIfAbsent(m.partition(), p -> new ArrayList<>()).add(m));
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    UUID @Nullable [] noTraces = null;
    String @Nullable [] noProducers = null;
    Tuple tuple = Tuple.tuple();
    byPartition.forEach(
        (partition, messages) -> {
          long next = nextOffsets.merge(partition, (long) messages.size(), Long::sum);
          tuple
              .addShort((short) 0)
              .addUUID(RowTable.partitionId(partition))
              .addLong(next - messages.size())
              .addInteger(messages.size())
              .addOffsetDateTime(now)
              .addBoolean(false)
              .addArrayOfUUID(messages.stream().map(Message::id).toArray(UUID[]::new))
              .addArrayOfString(
                  messages.stream().map(Message::transactionId).toArray(String[]::new))
              .addArrayOfString(messages.stream().map(Message::payload).toArray(String[]::new))
              .addArrayOfUUID(noTraces)
              .addArrayOfString(noProducers);
        });
    return tuple;
  }
}
