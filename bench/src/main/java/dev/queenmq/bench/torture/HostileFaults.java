package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.cluster.Member;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * What clients can do to a broker that means others as well. It has to serve these all the time.
 */
final class HostileFaults {
  private static final int UPLOADS = 40;
  private static final int READERS = 20;
  private static final int SCRAPERS = 100;

  private final Plant plant;

  HostileFaults(Plant plant) {
    this.plant = plant;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
            "stall-uploads",
            "clients begin large pushes to a broker and do not end them",
            3,
            12,
            random -> hostile(random, url -> HostileClients.uploading(url, UPLOADS))),
        Fault.of(
            "slow-readers",
            "clients ask a broker for large answers and do not read them",
            3,
            12,
            random -> hostile(random, url -> HostileClients.reading(url, READERS))),
        Fault.of(
            "flood-scrapes",
            "clients ask a broker for its figures again and again",
            3,
            8,
            random -> hostile(random, url -> HostileClients.scraping(url, SCRAPERS))));
  }

  private interface Attack {
    HostileClients on(BrokerUrl broker) throws IOException;
  }

  private Fault.Healing hostile(RandomGenerator random, Attack attack) {
    Member target = plant.any(random);
    OptionalLong process = target.pid();
    HostileClients clients;
    try {
      clients = attack.on(target.url());
    } catch (IOException e) {
      throw new IllegalStateException("cannot attack " + target.name(), e);
    }
    return () -> {
      clients.close();
      if (!target.isAlive() || !target.pid().equals(process)) {
        throw new IllegalStateException(
            "broker " + target.name() + " was ended by its clients: " + target.tail());
      }
    };
  }
}
