package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.ledger.Violations;
import dev.queenmq.bench.broker.Member;
import java.util.List;

/** What can happen to brokers. */
final class BrokerFaults {
  private static final long MINUTE = 60;
  private static final long LARGEST_STEP = 3 * 60 * MINUTE;

  private final Deployment deployment;
  private final double leaseSeconds;
  private final Violations violations;

  BrokerFaults(Deployment deployment, double leaseSeconds, Violations violations) {
    this.deployment = deployment;
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
              Member member = deployment.any(random);
              member.kill();
              return member::start;
            }),
        Fault.of(
            "kill-all-brokers",
            "kill -9 of all brokers",
            0.2,
            3,
            random -> {
              deployment.members().forEach(Member::kill);
              return () -> deployment.members().parallelStream().forEach(Member::start);
            }),
        Fault.of(
            "freeze-broker",
            "SIGSTOP of a broker for longer than a lease, then an ack from the zombie",
            leaseSeconds + 1,
            leaseSeconds + 5,
            random -> {
              int index = random.nextInt(deployment.members().size());
              int other = (index + 1) % deployment.members().size();
              Member frozen = deployment.members().get(index);
              Zombie zombie =
                  new Zombie(
                      deployment.url(frozen),
                      deployment.url(deployment.members().get(other)),
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
                  Member member = deployment.any(random);
                  long seconds = random.nextLong(MINUTE, LARGEST_STEP);
                  boolean ahead = random.nextBoolean();
                  deployment.clock().set(ahead ? seconds : -seconds);
                  member.stop();
                  member.start(deployment.clock().settings());
                  deployment.clock().set(ahead ? -seconds : seconds);
                  return () -> {
                    deployment.clock().set(0);
                    member.stop();
                    member.start();
                  };
                })
            .unless(deployment.clock().missing()));
  }
}
