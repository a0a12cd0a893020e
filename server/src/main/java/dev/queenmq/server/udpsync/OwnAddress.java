package dev.queenmq.server.udpsync;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/**
 * The addresses of this broker, so that it does not send packets to itself.
 *
 * @param bound address of its socket
 * @param port of its socket: brokers on one machine differ by it
 */
record OwnAddress(InetAddress bound, int port) {

  /** Asks the system; may block. */
  boolean is(InetAddress address, int otherPort) {
    if (otherPort != port) {
      return false;
    }
    return bound.isAnyLocalAddress() ? isLocal(address) : bound.equals(address);
  }

  private static boolean isLocal(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      // Not to know is harmless: packets to oneself are dropped when they arrive.
      return false;
    }
  }
}
