package dev.queenmq.testkit.broker;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A session in one database. Blocks. */
final class Database implements AutoCloseable {
  private final PgConnection connection;

  private Database(PgConnection connection) {
    this.connection = connection;
  }

  static Database open(Vertx vertx, PgConnectOptions options) {
    return new Database(Calls.await(PgConnection.connect(vertx, options)));
  }

  /** Runs statements that have no parameters. */
  void run(String sql) {
    Calls.await(connection.query(sql).execute());
  }

  /** Runs the statements of a file beside this class. */
  void runScript(String name) {
    try (InputStream in = Objects.requireNonNull(Database.class.getResourceAsStream(name), name)) {
      run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Calls one of our functions. */
  RowSet<Row> call(String sql, Tuple parameters) {
    return Calls.await(connection.preparedQuery(sql).execute(parameters));
  }

  @Override
  public void close() {
    Calls.await(connection.close());
  }
}
