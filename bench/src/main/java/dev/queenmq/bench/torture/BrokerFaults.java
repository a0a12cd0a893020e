package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.ledger.Violations;
import dev.queenmq.bench.broker.Member;
import java.util.List;

/** What can happen to brokers. */
final class BrokerFaults {
  private static final long MINUTE = 60;
  private static final long LARGEST_STEP = 3 * 60 * MINUTE;

  private final Plant plant;
  private final double leaseSeconds;
  private final Violations violations;

  BrokerFaults(Plant plant, double leaseSeconds, Violations violations) {
    this.plant = plant;
    this.leaseSeconds = leaseSeconds;
    this.violations = violations;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
            "kill-broker",
            "kill -9 of a broker",
            0.2,
            5,
            random -> {
              Member member = plant.any(random);
              member.kill();
              return member::start;
            }),
        Fault.of(
            "kill-all-brokers",
            "kill -9 of all brokers",
            0.2,
            3,
            random -> {
              plant.members().forEach(Member::kill);
              return () -> plant.members().parallelStream().forEach(Member::start);
            }),
        Fault.of(
            "freeze-broker",
            "SIGSTOP of a broker for longer than a lease, then an ack from the zombie",
            leaseSeconds + 1,
            leaseSeconds + 5,
            random -> {
              int index = random.nextInt(plant.members().size());
              int other = (index + 1) % plant.members().size();
              Member frozen = plant.members().get(index);
              Zombie zombie =
                  new Zombie(
                      plant.url(frozen),
                      plant.url(plant.members().get(other)),
                      leaseSeconds,
                      violations);
              zombie.lease();
              frozen.freeze();
              zombie.ack();
              return new Fault.Healing() {
                @Override
                public void heal() {
                  frozen.thaw();
                }

                @Override
                public void check() {
                  zombie.check();
                }
              };
            }),
        Fault.of(
                "step-clock",
                "a broker runs with a wall clock that is wrong, and jumps",
                4,
                12,
                random -> {
                  Member member = plant.any(random);
                  long seconds = random.nextLong(MINUTE, LARGEST_STEP);
                  boolean ahead = random.nextBoolean();
                  plant.clock().set(ahead ? seconds : -seconds);
                  member.stop();
                  member.start(plant.clock().settings());
                  plant.clock().set(ahead ? -seconds : seconds);
                  return () -> {
                    plant.clock().set(0);
                    member.stop();
                    member.start();
                  };
                })
            .unless(plant.clock().missing()));
  }
}
