package dev.queenmq.server.http.server;

import dev.queenmq.server.config.values.AddressBlock;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Distinguishes clients by address. {@code X-Forwarded-For} counts only if it comes through a
 * trusted proxy: everything left of what that proxy added may be forged. Safe for any event loop.
 */
public final class ClientAddresses {
  private static final String FORWARDED_FOR = "X-Forwarded-For";

  /** Some proxies write down the port as well. */
  private static final Pattern PORT = Pattern.compile("^\\[([^]]*)](?::\\d+)?$|^([^:]*):\\d+$");

  /** A client with one IPv6 address usually has 2^64 of them. */
  private static final int IPV6_BYTES_THAT_COUNT = 8;

  private final List<AddressBlock> trusted;

  public ClientAddresses(List<AddressBlock> trusted) {
    this.trusted = List.copyOf(trusted);
  }

  /** The address of the client that sent a request. */
  public String of(HttpServerRequest request) {
    String peer = text(request.remoteAddress());
    if (trusted.isEmpty() || !isTrusted(peer)) {
      return block(peer);
    }
    List<String> chain =
        request.headers().getAll(FORWARDED_FOR).stream()
            .flatMap(line -> Arrays.stream(line.split(",", -1)))
            .toList();
    String last = peer;
    for (int i = chain.size() - 1; i >= 0 && isTrusted(last); i--) {
      String entry = withoutPort(chain.get(i).strip());
      if (AddressBlock.address(entry).isEmpty()) {
        break;
      }
      last = entry;
    }
    return block(last);
  }

  /** The address of the peer of a connection. */
  String of(SocketAddress peer) {
    return block(text(peer));
  }

  /** Whether a connection may carry requests of many clients. */
  boolean isProxy(SocketAddress peer) {
    return !trusted.isEmpty() && isTrusted(text(peer));
  }

  private boolean isTrusted(String text) {
    return AddressBlock.address(text)
        .filter(address -> trusted.stream().anyMatch(block -> block.contains(address)))
        .isPresent();
  }

  private static String text(SocketAddress peer) {
    return Optional.ofNullable(peer.hostAddress()).map(ClientAddresses::withoutZone).orElse("");
  }

  private static String withoutZone(String address) {
    int zone = address.indexOf('%');
    return zone < 0 ? address : address.substring(0, zone);
  }

  private static String withoutPort(String entry) {
    return PORT.matcher(entry)
        .replaceFirst(match -> Optional.ofNullable(match.group(1)).orElseGet(() -> match.group(2)));
  }

  private static String block(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    return AddressBlock.address(address).map(ClientAddresses::block).orElse(address);
  }

  private static String block(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length > IPV6_BYTES_THAT_COUNT) {
      Arrays.fill(bytes, IPV6_BYTES_THAT_COUNT, bytes.length, (byte) 0);
    }
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
