package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class PostgresProbeIT {

  @Test
  void ask_failsInTime_andRecovers_whenServerIsSilentForAWhile(TestDatabase database) {
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.SILENT)) {
      PostgresProbe probe = probe(database, proxy, Duration.ofMillis(300));

      assertThat(failureOf(probe.ask())).isNotNull();
      proxy.set(Fault.NONE);
      Awaitility.await().until(() -> await(probe.ask().map(true).otherwise(false)));
      await(probe.close());
    }
  }

  @Test
  void ask_sharesOneQuestion_amongManyAskers(TestDatabase database) {
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE)) {
      PostgresProbe probe = probe(database, proxy, Duration.ofMinutes(1));

      List<Future<Void>> answers = Stream.generate(probe::ask).limit(100).toList();

      await(Future.all(answers));
      assertThat(proxy.connections()).isEqualTo(1);
      await(probe.close());
    }
  }

  @Test
  void ask_succeeds_whenTheEventLoopWasBusyForLongerThanTheTimeout(TestDatabase database) {
    Vertx busy = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE)) {
      PostgresProbe probe =
          new PostgresProbe(
              busy,
              ConnectOptions.of(proxy.endpoint(), SessionConfig.defaults().with(Pooler.NONE)),
              Duration.ofSeconds(2),
              durability -> {});
      await(probe.ask());
      Promise<Void> answer = Promise.promise();
      // In one task: asks, and then works for longer than the timeout before the loop reads the
      // answer.
      busy.runOnContext(
          go -> {
            probe.ask().onComplete(answer);
            long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            while (System.nanoTime() < until) {
              Thread.onSpinWait();
            }
          });
      await(answer.future());
      await(probe.close());
    } finally {
      await(busy.close());
    }
  }

  private static PostgresProbe probe(TestDatabase database, FaultyProxy proxy, Duration patience) {
    return new PostgresProbe(
        database.vertx(),
        ConnectOptions.of(proxy.endpoint(), SessionConfig.defaults().with(Pooler.NONE)),
        patience,
        durability -> {});
  }
}
