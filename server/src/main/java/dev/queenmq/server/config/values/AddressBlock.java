package dev.queenmq.server.config.values;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses that begin with the same bits: {@code 10.0.0.0/8}, or a single one.
 *
 * @param bits how many of them count
 */
public record AddressBlock(InetAddress first, int bits) {

  // Anything else might be a name, which the JDK would look up.
  private static final Pattern LITERAL =
      Pattern.compile(
          "\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:]*(?:\\d{1,3}(?:\\.\\d{1,3}){3})?");

  /** Whether an address is among them. */
  public boolean contains(InetAddress address) {
    byte[] one = first.getAddress();
    byte[] other = address.getAddress();
    if (one.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit += Byte.SIZE) {
      int shift = Math.max(0, Byte.SIZE - (bits - bit));
      if ((one[bit / Byte.SIZE] & 0xff) >> shift != (other[bit / Byte.SIZE] & 0xff) >> shift) {
        return false;
      }
    }
    return true;
  }

  /** The address that a text stands for, if it does; names are not looked up. */
  public static Optional<InetAddress> address(String text) {
    if (!LITERAL.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(text));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /**
   * The blocks of a comma list; empty places in it are skipped.
   *
   * @throws IllegalArgumentException if one of them is none
   */
  public static List<AddressBlock> list(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(entry -> !entry.isEmpty())
        .map(AddressBlock::parse)
        .toList();
  }

  private static AddressBlock parse(String text) {
    String[] parts = text.split("/", 2);
    InetAddress first =
        address(parts[0]).orElseThrow(() -> new IllegalArgumentException("no address"));
    int all = first.getAddress().length * Byte.SIZE;
    int bits = parts.length == 1 ? all : Integer.parseInt(parts[1]);
    if (bits < 0 || bits > all) {
      throw new IllegalArgumentException("no prefix");
    }
    return new AddressBlock(first, bits);
  }
}
