package dev.queenmq.bench.broker;

import dev.queenmq.bench.Blocking;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A way into the PostgreSQL of a broker of our own. */
public final class EmbeddedDatabase {
  private static final String DATABASE = "queen";

  private EmbeddedDatabase() {}

  /** A connection, which the caller closes. */
  public static PgConnection connect(Vertx vertx, Path dataFolder) {
    try {
      return Blocking.get(
          PgConnection.connect(
              vertx,
              new PgConnectOptions()
                  .setHost("127.0.0.1")
                  .setPort(
                      Integer.parseInt(
                          Files.readString(dataFolder.resolve("postgres.port")).strip()))
                  .setDatabase(DATABASE)
                  .setUser(DATABASE)
                  .setPassword(
                      Files.readString(dataFolder.resolve("postgres/queen.password")).strip())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
