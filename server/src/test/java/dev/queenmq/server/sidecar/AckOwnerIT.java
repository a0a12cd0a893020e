package dev.queenmq.server.sidecar;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.LocalBroker;
import dev.queenmq.server.broker.TrafficSnapshot;
import dev.queenmq.server.broker.WorkerFigure;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The event loop that owns a queue takes its acks, so that one call carries those of all loops. */
@ExtendWith(PostgresExtension.class)
class AckOwnerIT {
  @Test
  void acks_goToTheOwnerOfTheirQueue_whereverTheyCameFrom(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      assertThat(broker.loops()).hasSizeGreaterThan(1);
      for (Context loop : broker.loops()) {
        broker.push("q", "p", "m" + broker.loops().indexOf(loop));
        Polled polled = broker.popNow("q", LocalBroker.QUEUE_MODE);
        assertThat(ack(loop, broker, polled)).hasOnlyElementsOfType(AckOutcome.Applied.class);
      }

      List<Long> acked = broker.traffic().stream().map(AckOwnerIT::acknowledged).toList();
      assertThat(acked).as("by event loop").containsOnly(0L, (long) broker.loops().size());
    }
  }

  private static List<AckOutcome> ack(Context loop, LocalBroker broker, Polled polled) {
    List<Ack> acks = LocalBroker.acks(polled, AckStatus.COMPLETED);
    Promise<List<AckOutcome>> answer = Promise.promise();
    loop.runOnContext(go -> broker.broker().ack(acks).onComplete(answer));
    return await(answer.future());
  }

  private static long acknowledged(TrafficSnapshot loop) {
    return loop.counts().get(WorkerFigure.ACK_SUCCESS.place());
  }
}
