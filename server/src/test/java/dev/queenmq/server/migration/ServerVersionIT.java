package dev.queenmq.server.migration;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.embedded.BarePostgres;
import dev.queenmq.embedded.PackedPostgres;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.PostgresGate;
import dev.queenmq.server.testing.SharedPostgres;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerVersionIT {

  @Test
  void run_refusesAnOlderPostgres(@TempDir Path folder) throws Exception {
    Vertx vertx = Vertx.vertx();
    try (BarePostgres server = BarePostgres.start(PackedPostgres.bin("tooold"), folder)) {
      PostgresEndpoint endpoint =
          new PostgresEndpoint(
              "127.0.0.1", server.port(), "postgres", "postgres", new Secret(""), new Tls.Off());
      PostgresGate gate =
          new PostgresGate(
              vertx,
              SessionConfig.defaults(),
              Duration.ofSeconds(60),
              new Backoff(20, 100, new Random(1)),
              System::nanoTime);

      Throwable failure =
          failureOf(
              gate.enter(endpoint)
                  .compose(reached -> Migrations.run(vertx, reached.options(), System::nanoTime)));

      assertThat(failure)
          .isInstanceOf(MigrationException.class)
          .hasMessageStartingWith("this is PostgreSQL 12.")
          .hasMessageEndingWith(", but Queen MQ needs PostgreSQL 14 or newer");
      await(vertx.close());
    }
  }

  @Test
  void run_acceptsPostgres14() throws Exception {
    try (SharedPostgres server = SharedPostgres.start(Optional.of(PackedPostgres.bin("oldest")))) {
      TestDatabase database = server.emptyDatabase();

      await(Migrations.run(database.vertx(), database.options(), System::nanoTime));

      assertThat(database.value("select current_setting('server_version')").toString())
          .startsWith("14.");
    }
  }
}
