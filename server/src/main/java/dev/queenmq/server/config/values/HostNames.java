package dev.queenmq.server.config.values;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names that a broker answers to. A web page can make a browser resolve the page's own name to
 * the broker's address (DNS rebinding); its requests then look like the broker's own, except that
 * {@code Host} names the page's host. IP addresses and {@code localhost} are always good: a browser
 * does not ask DNS for them.
 *
 * @param names in lower case; empty means that any name will do
 */
public record HostNames(Set<String> names) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?");
  private static final String LOCAL = "localhost";

  /** Copies the names. */
  public HostNames {
    names = Set.copyOf(names);
  }

  /** Any name will do. */
  public static HostNames any() {
    return new HostNames(Set.of());
  }

  /** Whether any name will do. */
  public boolean isAny() {
    return names.isEmpty();
  }

  /** Whether a host, in lower case and without port and brackets, is one of the broker's. */
  public boolean allow(String host) {
    return isAny()
        || names.contains(host)
        || host.equals(LOCAL)
        || AddressBlock.address(host).isPresent();
  }

  /**
   * Reads a comma list of names.
   *
   * @throws IllegalArgumentException if one of them is no name of a host
   */
  public static HostNames parse(String text) {
    return new HostNames(
        Arrays.stream(text.split(",", -1))
            .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
            .filter(entry -> !entry.isEmpty())
            .map(HostNames::name)
            .collect(Collectors.toSet()));
  }

  private static String name(String entry) {
    if (!NAME.matcher(entry).matches()) {
      throw new IllegalArgumentException("not the name of a host");
    }
    return entry;
  }
}
