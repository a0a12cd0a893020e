package dev.queenmq.server.config.values;

/**
 * Where a PostgreSQL answers, and as whom we come.
 *
 * @param password empty if there is none
 */
public record PostgresEndpoint(
    String host, int port, String database, String user, Secret password, Tls tls) {

  /** Where it is, for people: never with a password. */
  public String describe() {
    return user + "@" + host + ":" + port + "/" + database;
  }
}
