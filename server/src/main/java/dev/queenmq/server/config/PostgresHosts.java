package dev.queenmq.server.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the servers of a PostgreSQL cluster, as libpq reads its lists of hosts and ports. */
final class PostgresHosts {

  /**
   * A server.
   *
   * @param host a name or an address, an IPv6 one without brackets
   */
  record Host(String host, int port) {}

  /** Stands for the port that the other setting says. */
  private static final int USUAL_PORT = 0;

  private static final int LAST_PORT = 65_535;
  private static final Pattern BRACKETED = Pattern.compile("\\[([^\\]]+)\\](?::(\\d{1,5}))?");
  // With two colons it is an address of IPv6, which has a port only behind brackets.
  private static final Pattern WITH_PORT = Pattern.compile("([^:]+):(\\d{1,5})");

  private PostgresHosts() {}

  /** The hosts of a comma list. */
  static List<Host> hosts(String text) {
    return entries(text).map(PostgresHosts::host).toList();
  }

  /** The ports of a comma list. */
  static List<Integer> ports(String text) {
    return entries(text).map(PostgresHosts::port).toList();
  }

  /**
   * Hosts with their ports, one for all of them or one for each.
   *
   * @throws IllegalArgumentException if there are other numbers of ports and hosts
   */
  static List<Host> together(List<Host> hosts, List<Integer> ports) {
    if (ports.size() != 1 && ports.size() != hosts.size()) {
      throw new IllegalArgumentException(
          "PG_PORT has %d ports, but PG_HOST has %d hosts: give one port for all, or one for each"
              .formatted(ports.size(), hosts.size()));
    }
    List<Host> all = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      Host host = hosts.get(i);
      int usual = ports.get(ports.size() == 1 ? 0 : i);
      all.add(host.port() == USUAL_PORT ? new Host(host.host(), usual) : host);
    }
    return all.stream().distinct().toList();
  }

  private static Stream<String> entries(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip);
  }

  private static Host host(String entry) {
    if (entry.isEmpty() || entry.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("no host");
    }
    Matcher bracketed = BRACKETED.matcher(entry);
    if (bracketed.matches()) {
      return host(bracketed);
    }
    Matcher ported = WITH_PORT.matcher(entry);
    return ported.matches() ? host(ported) : new Host(entry, USUAL_PORT);
  }

  private static Host host(Matcher matched) {
    return new Host(
        matched.group(1), matched.group(2) == null ? USUAL_PORT : port(matched.group(2)));
  }

  private static int port(String text) {
    int port = Integer.parseInt(text);
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException("no port");
    }
    return port;
  }
}
