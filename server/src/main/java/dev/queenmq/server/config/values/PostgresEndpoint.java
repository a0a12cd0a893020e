package dev.queenmq.server.config.values;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The address of a PostgreSQL, and the user to connect as.
 *
 * @param password empty if there is none
 */
public record PostgresEndpoint(
    String host, int port, String database, String user, Secret password, Tls tls) {

  /** Where it is, for people: never with a password. */
  public String describe() {
    return describe(List.of(this));
  }

  /** Host and port. */
  public String address() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }

  /** Where the servers of one cluster are, for people: never with a password. */
  public static String describe(List<PostgresEndpoint> servers) {
    return servers.get(0).user
        + "@"
        + servers.stream().map(PostgresEndpoint::address).collect(Collectors.joining(","))
        + "/"
        + servers.get(0).database;
  }
}
