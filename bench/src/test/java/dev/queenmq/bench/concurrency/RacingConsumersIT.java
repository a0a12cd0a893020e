package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several consumers of one group at one partition, one message at a time. A cursor then often
 * changes between the snapshot of a pop and its lock: what a pop hands out must come from the row
 * that it locked, or it hands out what an ack has just settled.
 */
@ExtendWith(BenchPostgresExtension.class)
class RacingConsumersIT {
  private static final int MESSAGES = 1000;
  private static final int CONSUMERS = 6;

  private final BenchDatabase database;

  RacingConsumersIT(BenchPostgres postgres) {
    database = postgres.createDatabase("racing_consumers");
  }

  @Test
  void pop_neverHandsOutWhatIsAcked_howeverManyRaceForIt() {
    Queue<Long> delivered = new ConcurrentLinkedQueue<>();
    List<Session> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < CONSUMERS; i++) {
        sessions.add(Session.hasty(database));
      }
      String[] ids = IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toArray(String[]::new);
      UUID partition =
          ((PushOutcome.Queued) Blocking.get(sessions.get(0).push("race", "p", ids)).get(0))
              .partitionId();
      List<Future<Void>> consumers =
          sessions.stream().map(session -> consume(session, partition, delivered)).toList();
      Blocking.get(Future.join(consumers));
    } finally {
      sessions.forEach(Session::close);
    }
    assertThat(delivered).hasSize(MESSAGES).doesNotHaveDuplicates();
  }

  private static Future<Void> consume(Session session, UUID partition, Queue<Long> delivered) {
    PopRequest request =
        new PopRequest(
            new PopTarget.Candidates(Optional.empty(), List.of(partition)),
            "g",
            1,
            1,
            false,
            new Subscription.All());
    return session
        .store()
        .pop(List.of(request))
        .compose(
            outcomes -> {
              List<PartitionBatch> batches = ((PopOutcome.Served) outcomes.get(0)).batches();
              if (batches.isEmpty()) {
                return Future.succeededFuture();
              }
              delivered.add(batches.get(0).messages().get(0).offset());
              return session.ack(batches.get(0), "g").mapEmpty();
            })
        .compose(
            done ->
                delivered.size() < MESSAGES
                    ? consume(session, partition, delivered)
                    : Future.succeededFuture());
  }
}
