package dev.queenmq.server.udpsync;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name; may block. */
@FunctionalInterface
interface NameLookup {

  List<InetAddress> addresses(String name) throws UnknownHostException;

  /** Resolves names as the system does. */
  static NameLookup system() {
    return name -> List.of(InetAddress.getAllByName(name));
  }
}
