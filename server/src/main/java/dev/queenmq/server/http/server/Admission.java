package dev.queenmq.server.http.server;

import dev.queenmq.server.logging.LimitedLog;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits the open connections, in all and of one address. Shared by all event loops. */
final class Admission {
  private static final Logger log = LoggerFactory.getLogger(Admission.class);

  private final int most;
  private final PerAddressLimit places;
  private final ClientAddresses addresses;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final LimitedLog warnings;

  Admission(int most, int perAddress, ClientAddresses addresses, LongSupplier nanoTime) {
    this.most = most;
    this.places = new PerAddressLimit(perAddress);
    this.addresses = addresses;
    warnings = new LimitedLog(log::warn, nanoTime);
  }

  /**
   * Lets a connection in, or not.
   *
   * @return what to do when it ends; empty if it may not stay
   */
  Optional<Runnable> admit(HttpConnection connection) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      refused("there are " + most + " connections");
      return Optional.empty();
    }
    SocketAddress peer = connection.remoteAddress();
    if (addresses.isProxy(peer)) {
      return Optional.of(open::decrementAndGet);
    }
    String address = addresses.of(peer);
    if (!places.take(address)) {
      open.decrementAndGet();
      refused(address + " has " + places.most() + " connections");
      return Optional.empty();
    }
    return Optional.of(
        () -> {
          places.giveBack(address);
          open.decrementAndGet();
        });
  }

  /** How many it did not let in. */
  long refused() {
    return refused.sum();
  }

  private void refused(String why) {
    refused.increment();
    warnings.write("connections", "", "refused a connection: " + why + ", which is the limit");
  }
}
