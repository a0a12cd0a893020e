package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Member;
import dev.queenmq.bench.torture.hostile.Flood;
import dev.queenmq.bench.torture.hostile.HostileClients;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What clients can do to a broker that means others as well. It has to serve these all the time.
 */
final class HostileFaults {
  static final Set<String> NAMES =
      Set.of(
          "stall-uploads",
          "slow-readers",
          "flood-scrapes",
          "flood-queues",
          "flood-groups",
          "flood-tokens");

  private static final int UPLOADS = 40;
  private static final int READERS = 20;
  private static final int SCRAPERS = 100;
  private static final int FLOODERS = 30;
  private static final String QUEUES_LIMIT = "QUEEN_MAX_NEW_QUEUES_PER_TOKEN";
  private static final String GROUPS_LIMIT = "QUEEN_MAX_NEW_GROUPS_PER_TOKEN";

  private final Deployment deployment;

  HostileFaults(Deployment deployment) {
    this.deployment = deployment;
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
            random -> hostile(random, url -> HostileClients.scraping(url, SCRAPERS))),
        Fault.of(
            "flood-queues",
            "clients push to and poll ever new queues of a broker",
            3,
            8,
            this::floodQueues),
        Fault.of(
            "flood-groups",
            "clients poll a queue of a broker for ever new consumer groups",
            3,
            8,
            this::floodGroups),
        Fault.of(
                "flood-tokens",
                "clients come to a broker with ever new invalid tokens",
                3,
                8,
                this::floodTokens)
            .unless(deployment.withoutTokens()));
  }

  private Fault.Attack floodQueues(RandomGenerator random) {
    Flood flood = Flood.queues(prefix(), deployment.hostileToken());
    return flood(
        random,
        flood,
        () ->
            holds(
                QUEUES_LIMIT,
                "select count(*) from queen.queues where starts_with(name, '%s')"
                    .formatted(flood.prefix())));
  }

  private Fault.Attack floodGroups(RandomGenerator random) {
    Flood flood =
        Flood.groups(prefix(), HostileClients.QUEUE + "-groups", deployment.hostileToken());
    return flood(
        random,
        flood,
        () ->
            holds(
                GROUPS_LIMIT,
                "select count(*) from queen.subscriptions where starts_with(consumer_group, '%s')"
                    .formatted(flood.prefix())));
  }

  private Fault.Attack floodTokens(RandomGenerator random) {
    return flood(random, Flood.tokens(prefix(), deployment.tokens(), random.nextLong()), () -> {});
  }

  private static String prefix() {
    return "flood-" + Long.toString(System.nanoTime(), Character.MAX_RADIX) + "-";
  }

  private Fault.Attack flood(RandomGenerator random, Flood flood, Runnable afterwards) {
    Hostility hostility =
        hostile(
            random,
            url -> {
              HostileClients.exchange(
                  url, Flood.push(HostileClients.QUEUE + "-groups", url.token()));
              return HostileClients.flooding(url, FLOODERS, flood);
            });
    return hostility.then(
        () -> {
          List<Integer> wrong =
              hostility.answers().keySet().stream().filter(status -> !flood.mayBe(status)).toList();
          if (!wrong.isEmpty()) {
            throw new IllegalStateException(
                "broker %s gave answers that it must not give: %s, of %s"
                    .formatted(hostility.broker(), wrong, hostility.answers()));
          }
          afterwards.run();
        });
  }

  /** A bound holds but for what was under way when it was reached. */
  private void holds(String setting, String count) {
    long limit = deployment.bound(setting);
    long made = deployment.database().number(count);
    if (limit > 0 && made > limit + FLOODERS) {
      throw new IllegalStateException(
          "%d were made, although %s is %d".formatted(made, setting, limit));
    }
  }

  private interface Attacking {
    HostileClients on(BrokerUrl broker) throws IOException;
  }

  private Hostility hostile(RandomGenerator random, Attacking attack) {
    Member target = deployment.any(random);
    OptionalLong process = target.pid();
    try {
      HostileClients clients = attack.on(target.url().with(deployment.hostileToken()));
      return new Hostility(target, process, clients, () -> {});
    } catch (IOException e) {
      throw new IllegalStateException("cannot attack " + target.name(), e);
    }
  }

  /** An attack that goes on. */
  private record Hostility(
      Member target, OptionalLong process, HostileClients clients, Runnable afterwards)
      implements Fault.Attack {
    Hostility then(Runnable check) {
      return new Hostility(target, process, clients, check);
    }

    @Override
    public String broker() {
      return target.name();
    }

    @Override
    public Map<Integer, Long> answers() {
      return clients.answers();
    }

    @Override
    public void heal() {
      clients.close();
      if (!target.isAlive() || !target.pid().equals(process)) {
        throw new IllegalStateException(
            "broker " + target.name() + " was ended by its clients: " + target.tail());
      }
    }

    @Override
    public void check() {
      afterwards.run();
    }
  }
}
