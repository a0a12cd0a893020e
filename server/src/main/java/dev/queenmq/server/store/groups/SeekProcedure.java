package dev.queenmq.server.store.groups;

import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Moves groups: {@code seek_v1}, a page of partitions a call, so that a queue with very many
 * partitions is not held up while one group is moved.
 */
public final class SeekProcedure {
  private static final String SQL = "select * from queen.seek_v1($1, $2, $3, $4, $5, $6, $7)";
  private static final int PAGE = 1000;

  private final StoreClient client;
  private final short shard;

  public SeekProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<SeekOutcome> seek(Seek seek) {
    Optional<Problem> problem = InputRules.seek(seek);
    return problem.isPresent()
        ? Future.succeededFuture(new SeekOutcome.Rejected(problem.get()))
        : page(seek, null, 0);
  }

  private Future<SeekOutcome> page(Seek seek, @Nullable String after, int moved) {
    @Nullable OffsetDateTime moment =
        seek.to() instanceof Seek.Position.After target
            ? target.moment().atOffset(ZoneOffset.UTC)
            : null;
    Tuple arguments =
        Tuple.of(shard)
            .addString(seek.queue())
            .addString(seek.partition().orElse(null))
            .addString(seek.group())
            .addOffsetDateTime(moment)
            .addString(after)
            .addInteger(PAGE);
    return client
        .call(SQL, arguments)
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              if (!row.getBoolean("o_found")) {
                return Future.succeededFuture(new SeekOutcome.NotFound());
              }
              if (!row.getBoolean("o_known")) {
                return Future.succeededFuture(new SeekOutcome.UnknownGroup());
              }
              int total = moved + row.getInteger("o_updated");
              String last = row.getString("o_last");
              if (last != null) {
                return page(seek, last, total);
              }
              Long offset = row.getLong("o_offset");
              return Future.succeededFuture(
                  new SeekOutcome.Moved(
                      total,
                      offset == null ? OptionalLong.empty() : OptionalLong.of(offset),
                      Optional.ofNullable(row.getOffsetDateTime("o_behind"))
                          .map(OffsetDateTime::toInstant)));
            });
  }
}
