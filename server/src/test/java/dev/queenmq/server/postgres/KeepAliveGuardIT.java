package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class KeepAliveGuardIT {

  @Test
  void aPoolRecovers_thoughOneQuestionAfterTheOtherGoesIntoAForgottenConnection(
      TestDatabase database) {
    try (FaultyProxy line = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE)) {
      SqlClient client =
          PgBuilder.client()
              .using(database.vertx())
              .connectingTo(
                  ConnectOptions.of(line.endpoint(), SessionConfig.defaults().with(Pooler.NONE)))
              .with(KeepAliveGuard.transport(Duration.ofSeconds(2), Duration.ofSeconds(2)))
              .with(new PoolOptions().setMaxSize(1))
              .build();
      await(client.query("select 1").execute());
      line.forget();

      AtomicInteger answers = new AtomicInteger();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                client.query("select 2").execute().onSuccess(rows -> answers.incrementAndGet());
                return answers.get() > 0;
              });
      await(client.close());
    }
  }
}
