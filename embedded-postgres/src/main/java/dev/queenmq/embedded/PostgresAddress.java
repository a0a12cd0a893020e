package dev.queenmq.embedded;

/** Where a PostgreSQL listens and how to log in. The password never shows in {@link #toString}. */
public record PostgresAddress(
    String host, int port, String database, String user, String password) {

  /** The same server and login, another database. */
  public PostgresAddress withDatabase(String otherDatabase) {
    return new PostgresAddress(host, port, otherDatabase, user, password);
  }

  @Override
  public String toString() {
    return "postgresql://" + user + ":***@" + host + ":" + port + "/" + database;
  }
}
