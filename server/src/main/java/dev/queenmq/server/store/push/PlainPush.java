package dev.queenmq.server.store.push;

import dev.queenmq.server.store.call.StatementFile;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A push as one plain statement.
 *
 * <p>Most pushes are alike: this broker is the only one that appends to the partitions, it has
 * compared the transaction ids itself, nothing is a duplicate, and the queues are as the last push
 * found them. Then nothing has to be decided under the locks. The statement says all of that as
 * conditions on the rows that it changes. It appends to the partitions that are so, and does not
 * find the others: their messages go to {@code push_v1}, which decides everything. So a wrong
 * belief costs a second statement and nothing else, and an answer that is lost is dealt with like
 * one of {@code push_v1}: the repetition goes there and finds what was stored by message id.
 *
 * <p>What has to be true, in this broker's memory, before it is tried:
 *
 * <ul>
 *   <li>every partition is known by id, with its end, and the ids below the end are known for the
 *       whole window of its queue (or the queue does not deduplicate);
 *   <li>no message may be a duplicate, and none was sent before without an answer;
 *   <li>no queue has a maxSize, and payloads are sealed if and only if the queue is encrypted;
 *   <li>the last plain push to each partition found it, or some by {@code push_v1} lie between:
 *       another broker that appends there, too, would make every plain push a futile one.
 * </ul>
 *
 * <p>A call of many small segments is left to {@code push_v1}, which is as fast there.
 */
final class PlainPush {
  private static final String ONE = StatementFile.read("push_one");
  private static final String SEVERAL = StatementFile.read("push_several");
  private static final String SINGLES = StatementFile.read("push_singles");

  /** With more segments of several messages, the procedure is as fast. */
  private static final int MOST_SEGMENTS = 256;

  /** Each partition's queue is looked for among these. */
  private static final int MOST_QUEUES = 16;

  private final String sql;
  private final Tuple arguments;
  private final List<PushTarget> targets;

  private PlainPush(String sql, Tuple arguments, List<PushTarget> targets) {
    this.sql = sql;
    this.arguments = arguments;
    this.targets = targets;
  }

  /**
   * The call as a plain statement, if it is a usual one.
   *
   * @param targets in the order of their ids, those without one last
   */
  static Optional<PlainPush> of(
      List<PushTarget> targets,
      PushArguments gathered,
      PayloadEncryptor encryptor,
      SizeLimitedQueues sizeLimited) {
    if (!gathered.mayBePlain() || targets.isEmpty()) {
      return Optional.empty();
    }
    Queues queues = new Queues(encryptor, sizeLimited);
    boolean usual = true;
    for (PushTarget target : targets) {
      // All of them are asked: each counts how often it is passed over.
      usual &= target.isCertain() && queues.add(target);
    }
    if (!usual || !gathered.isSealed(queues::isEncrypted)) {
      return Optional.empty();
    }
    int segments = gathered.segmentCount();
    boolean singles = segments == targets.size() && segments == gathered.messageCount();
    if (segments > MOST_SEGMENTS && !singles) {
      return Optional.empty();
    }
    if (segments == 1) {
      Tuple arguments =
          gathered.addOneSegment(
              Tuple.of(gathered.shard(), targets.get(0).id(), targets.get(0).end()),
              queues.names.get(0),
              queues.windows.get(0),
              queues.encrypted.get(0));
      return Optional.of(new PlainPush(ONE, arguments, targets));
    }
    Tuple arguments =
        Tuple.of(gathered.shard())
            .addArrayOfUUID(targets.stream().map(PushTarget::id).toArray(UUID[]::new))
            .addArrayOfLong(targets.stream().map(PushTarget::end).toArray(Long[]::new))
            .addArrayOfString(queues.names.toArray(String[]::new))
            .addArrayOfInteger(queues.windows.toArray(Integer[]::new))
            .addArrayOfBoolean(queues.encrypted.toArray(Boolean[]::new));
    return Optional.of(
        singles
            ? new PlainPush(SINGLES, gathered.addSingles(arguments), targets)
            : new PlainPush(
                SEVERAL,
                gathered.addSegments(arguments, target -> targets.get(target).end()),
                targets));
  }

  String sql() {
    return sql;
  }

  Tuple arguments() {
    return arguments;
  }

  /** The partition, if it is one segment. */
  Optional<PushTarget> onlyOne() {
    return sql.equals(ONE) ? Optional.of(targets.get(0)) : Optional.empty();
  }

  /** What the statement answered. */
  Answer answer(RowSet<Row> rows) {
    @Nullable Instant[] times = new Instant[targets.size()];
    if (!rows.iterator().hasNext()) {
      return new Answer(Arrays.asList(times), OptionalLong.empty());
    }
    Row row = rows.iterator().next();
    if (sql.equals(ONE)) {
      times[0] = row.getOffsetDateTime("created_at").toInstant();
    } else {
      UUID[] found = row.getArrayOfUUIDs("partition_ids");
      OffsetDateTime[] created = row.getArrayOfOffsetDateTimes("created_at");
      int next = 0;
      for (int i = 0; i < times.length && next < found.length; i++) {
        if (found[next].equals(targets.get(i).id())) {
          times[i] = created[next++].toInstant();
        }
      }
    }
    return new Answer(Arrays.asList(times), OptionalLong.of(row.getLong("xid")));
  }

  /**
   * What became of the targets.
   *
   * @param times of the messages, by target; null where nothing was appended
   * @param transaction in which something was
   */
  record Answer(List<@Nullable Instant> times, OptionalLong transaction) {}

  /** The queues of a call, as this broker believes them to be. */
  private static final class Queues {
    private final PayloadEncryptor encryptor;
    private final SizeLimitedQueues sizeLimited;
    private final List<String> names = new ArrayList<>();
    private final List<Integer> windows = new ArrayList<>();
    private final List<Boolean> encrypted = new ArrayList<>();

    Queues(PayloadEncryptor encryptor, SizeLimitedQueues sizeLimited) {
      this.encryptor = encryptor;
      this.sizeLimited = sizeLimited;
    }

    /** Whether the target's queue allows a plain push, as far as is known. */
    boolean add(PushTarget target) {
      String name = target.name().queue();
      int place = names.indexOf(name);
      if (place >= 0) {
        return windows.get(place) == target.window();
      }
      names.add(name);
      windows.add(target.window());
      encrypted.add(encryptor.believesEncrypted(name));
      return names.size() <= MOST_QUEUES && !sizeLimited.knows(name);
    }

    boolean isEncrypted(String name) {
      return encrypted.get(names.indexOf(name));
    }
  }
}
