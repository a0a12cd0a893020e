package dev.queenmq.server.config.values;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another broker, as the operator named it.
 *
 * @param host a name or an address, an IPv6 one without brackets
 * @param port where it listens for other brokers
 */
public record PeerHost(String host, int port) {
  /** Stands for the port that all brokers use unless they say otherwise. */
  public static final int USUAL_PORT = 0;

  private static final int LAST_PORT = 65_535;

  // Older deployment files name peers by their HTTP address; only the host counts.
  private static final Pattern SCHEME_AND_PATH = Pattern.compile("(?i)^https?://|/.*$");
  private static final Pattern BRACKETED = Pattern.compile("\\[([^\\]]+)\\](?::(\\d{1,5}))?");
  private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final Pattern IPV6 =
      Pattern.compile("[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?");

  /**
   * The hosts of a comma list; empty places in it are skipped.
   *
   * @throws IllegalArgumentException if one of them is none
   */
  public static List<PeerHost> list(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(entry -> !entry.isEmpty())
        .map(PeerHost::host)
        .toList();
  }

  private static PeerHost host(String entry) {
    String bare = SCHEME_AND_PATH.matcher(entry).replaceAll("").strip();
    if (IPV6.matcher(bare).matches()) {
      return new PeerHost(bare, USUAL_PORT);
    }
    Matcher bracketed = BRACKETED.matcher(bare);
    if (bracketed.matches() && IPV6.matcher(bracketed.group(1)).matches()) {
      return new PeerHost(bracketed.group(1), port(bracketed));
    }
    Matcher named = NAMED.matcher(bare);
    if (named.matches()) {
      return new PeerHost(named.group(1), port(named));
    }
    throw new IllegalArgumentException("no host");
  }

  private static int port(Matcher matched) {
    if (matched.group(2) == null) {
      return USUAL_PORT;
    }
    int port = Integer.parseInt(matched.group(2));
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException("no port");
    }
    return port;
  }
}
