package dev.queenmq.server.http.server;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits the open connections, in all and of one address. Shared by all event loops. */
final class Admission {
  private static final Logger log = LoggerFactory.getLogger(Admission.class);
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final int most;
  private final PerAddressLimit places;
  private final ClientAddresses addresses;
  private final LongSupplier nanoTime;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger unsaid = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final AtomicLong quietUntil;

  Admission(int most, int perAddress, ClientAddresses addresses, LongSupplier nanoTime) {
    this.most = most;
    this.places = new PerAddressLimit(perAddress);
    this.addresses = addresses;
    this.nanoTime = nanoTime;
    quietUntil = new AtomicLong(nanoTime.getAsLong());
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

  /** Any client can cause this, so there is one line a minute at most. */
  private void refused(String why) {
    refused.increment();
    int count = unsaid.incrementAndGet();
    long now = nanoTime.getAsLong();
    long quiet = quietUntil.get();
    if (now - quiet >= 0 && quietUntil.compareAndSet(quiet, now + PAUSE_NANOS)) {
      unsaid.addAndGet(-count);
      log.warn("refused {} connection(s): {}, which is the limit", count, why);
    }
  }
}
