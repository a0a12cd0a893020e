package dev.queenmq.bench.waiting;

import dev.queenmq.bench.Blocking;
import dev.queenmq.server.embedded.PostgresAddress;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The PostgreSQL of a broker, asked how much it has done; the asking itself hardly counts. */
final class QuietDatabase implements AutoCloseable {
  private static final String DATABASE = "queen";

  private final Vertx vertx = Vertx.vertx();
  private final PgConnection connection;

  QuietDatabase(Path dataFolder) {
    PostgresAddress address;
    try {
      address =
          new PostgresAddress(
              "127.0.0.1",
              Integer.parseInt(Files.readString(dataFolder.resolve("postgres.port")).strip()),
              DATABASE,
              DATABASE,
              Files.readString(dataFolder.resolve("postgres/queen.password")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connection =
        Blocking.get(
            PgConnection.connect(
                vertx,
                new PgConnectOptions()
                    .setHost(address.host())
                    .setPort(address.port())
                    .setDatabase(address.database())
                    .setUser(address.user())
                    .setPassword(address.password())));
  }

  /** Transactions so far: every statement of a broker is one. */
  long transactions() {
    return Blocking.get(
        connection
            .query(
                "select sum(xact_commit + xact_rollback)::bigint from pg_stat_database"
                    + " where datname is not null")
            .execute()
            .map(rows -> rows.iterator().next().getLong(0)));
  }

  @Override
  public void close() {
    Blocking.get(connection.close());
    Blocking.get(vertx.close());
  }
}
