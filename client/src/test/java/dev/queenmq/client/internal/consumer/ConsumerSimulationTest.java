package dev.queenmq.client.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two consumers and a model of the broker in virtual time, with every fault that can befall a call:
 * lost on the way there, lost on the way back, late, refused because it asks too much. Handlers
 * fail at random and sometimes take longer than their lease. Whatever happens: no message is lost,
 * none is acked that was not handled, each lane is handled in order, and no lane by two handlers of
 * a consumer at once.
 */
class ConsumerSimulationTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everythingIsHandledInOrder_whateverFails(boolean wholeBatches) {
    long first = Long.getLong("queen.consumer.seed", 1);
    long count = Long.getLong("queen.consumer.sequences", 150);
    for (long seed = first; seed < first + count; seed++) {
      try {
        new Simulation(seed, wholeBatches, 0.15).run();
      } catch (Throwable e) {
        throw new AssertionError(
            "-Dqueen.consumer.seed=" + seed + " -Dqueen.consumer.sequences=1", e);
      }
    }
  }

  @Test
  void aConsumerWithFiftyLanes_keepsFiftyInFlight() {
    Simulation simulation = new Simulation(1, false, 0);
    assertThat(simulation.averageInFlight()).isGreaterThan(45);
  }

  /** The same message under another lease is another delivery. */
  private record Held(String name, String lease) {
    String lane() {
      return name.substring(0, name.indexOf('/'));
    }

    int index() {
      return Integer.parseInt(name.substring(name.indexOf('/') + 1));
    }

    String before() {
      return lane() + "/" + (index() - 1);
    }
  }

  private static final class Lane {
    final List<String> messages = new ArrayList<>();
    int done;
    String lease = "";
    long expires;
    int end;
  }

  private static final class Simulation {
    private record Task(long at, long order, Runnable run) {}

    private final Random random;
    private final double faults;
    private final PriorityQueue<Task> tasks =
        new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
    private final Map<String, Lane> lanes = new HashMap<>();
    private final List<Shell> shells = new ArrayList<>();
    private final Set<String> handled = new HashSet<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private long now;
    private long order;
    private long leases;

    Simulation(long seed, boolean wholeBatches, double faults) {
      this.random = new Random(seed);
      this.faults = faults;
      int concurrency = faults == 0 ? 50 : 1 + random.nextInt(6);
      for (int i = 0; i < (faults == 0 ? 1 : 2); i++) {
        shells.add(new Shell(concurrency, wholeBatches));
      }
    }

    void run() {
      int count = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        fill("lane" + i, random.nextInt(30));
      }
      shells.forEach(shell -> shell.tell(core -> core.wake(now)));
      until(() -> isAllDone(), 4 * 3600 * SECOND);
      assertThat(isAllDone()).as("all messages are done in the end").isTrue();
      shells.forEach(shell -> shell.tell(core -> core.stop(now)));
      until(() -> shells.stream().allMatch(shell -> shell.core.isStopped()), now + 3600 * SECOND);
      assertThat(shells).allMatch(shell -> shell.core.isStopped());
    }

    /** Lanes with much to do, handlers of 10 milliseconds, 2 milliseconds to the broker. */
    double averageInFlight() {
      for (int i = 0; i < 50; i++) {
        fill("lane" + i, 5_000);
      }
      Shell shell = shells.get(0);
      shell.tell(core -> core.wake(now));
      until(() -> false, SECOND);
      long sum = 0;
      int samples = 0;
      for (long at = SECOND; at < 6 * SECOND; at += 3 * MILLI) {
        until(() -> false, at);
        sum += shell.core.runningHandlers();
        samples++;
      }
      return (double) sum / samples;
    }

    private void fill(String lane, int messages) {
      Lane made = lanes.computeIfAbsent(lane, name -> new Lane());
      for (int i = 0; i < messages; i++) {
        made.messages.add(lane + "/" + i);
      }
    }

    private boolean isAllDone() {
      return lanes.values().stream().allMatch(lane -> lane.done == lane.messages.size());
    }

    private void until(java.util.function.BooleanSupplier condition, long end) {
      while (!condition.getAsBoolean()) {
        Task task = tasks.peek();
        if (task == null || task.at() > end) {
          now = Math.max(now, Math.min(end, task == null ? end : task.at()));
          return;
        }
        tasks.remove();
        now = task.at();
        task.run().run();
      }
    }

    private void in(long nanos, Runnable task) {
      tasks.add(new Task(now + nanos, ++order, task));
    }

    private boolean chance(double probability) {
      return random.nextDouble() < probability;
    }

    private long latency() {
      return faults == 0 ? 2 * MILLI : (1 + random.nextInt(20)) * MILLI;
    }

    // The model of the broker

    private static final long LEASE = 30 * SECOND;
    private static final int RETRY_LIMIT = 2;

    private List<Delivery<Held>> pop(int batch, int partitions) {
      List<Delivery<Held>> answer = new ArrayList<>();
      String lease = "lease" + ++leases;
      int taken = 0;
      for (Map.Entry<String, Lane> each : lanes.entrySet()) {
        Lane lane = each.getValue();
        if (taken == partitions || answer.size() == batch) {
          break;
        }
        boolean leased = !lane.lease.isEmpty() && now < lane.expires;
        if (leased || lane.done == lane.messages.size()) {
          continue;
        }
        taken++;
        lane.lease = lease;
        lane.expires = now + LEASE;
        lane.end = Math.min(lane.messages.size(), lane.done + batch - answer.size());
        for (String message : lane.messages.subList(lane.done, lane.end)) {
          answer.add(
              new Delivery<>(
                  new Held(message, lease), each.getKey(), lease, Duration.ofNanos(LEASE)));
        }
      }
      return answer;
    }

    private ConsumerCore.Outcome ack(Held message, Disposition disposition) {
      Lane lane = lanes.computeIfAbsent(message.lane(), name -> new Lane());
      if (!lane.lease.equals(message.lease()) || now >= lane.expires) {
        return ConsumerCore.Outcome.LOST;
      }
      boolean givenUp =
          disposition.status() == Disposition.Status.FAILED
              && failures.merge(message.name(), 1, Integer::sum) > RETRY_LIMIT;
      if (givenUp) {
        handled.add(message.name());
      } else if (disposition.status().endsLease()) {
        lane.lease = "";
        return ConsumerCore.Outcome.RELEASED;
      }
      assertThat(handled.contains(message.name()))
          .as("%s acked without having been handled", message)
          .isTrue();
      assertThat(message.index()).as("acked in order").isLessThanOrEqualTo(lane.done);
      lane.done = Math.max(lane.done, message.index() + 1);
      if (lane.done == lane.end) {
        lane.lease = "";
      }
      return lane.lease.isEmpty() ? ConsumerCore.Outcome.RELEASED : ConsumerCore.Outcome.HELD;
    }

    /** What {@code RunningConsumer} does, in virtual time. */
    private final class Shell {
      final ConsumerCore<Held> core;
      final Set<String> busy = new HashSet<>();
      final Set<Long> waiting = new HashSet<>();

      Shell(int concurrency, boolean wholeBatches) {
        core =
            new ConsumerCore<>(
                new ConsumerLimits(
                    concurrency,
                    5,
                    wholeBatches,
                    faults == 0 ? 1000 : 1 + random.nextInt(10),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(10)));
      }

      void tell(java.util.function.Function<ConsumerCore<Held>, List<Action<Held>>> event) {
        List<Action<Held>> actions = event.apply(core);
        for (Action<Held> action : actions) {
          act(action);
        }
        long next = core.nextWake();
        if (next != Long.MAX_VALUE) {
          in(Math.max(0, next - now), () -> wake(next));
        }
      }

      private void wake(long planned) {
        if (core.nextWake() == planned) {
          tell(each -> each.wake(now));
        }
      }

      private void act(Action<Held> action) {
        if (action instanceof Action.Poll<Held> poll) {
          waiting.add(poll.id());
          in(latency(), () -> poll(poll, now + 5 * SECOND));
        } else if (action instanceof Action.EndPoll<Held> end) {
          if (waiting.remove(end.id())) {
            in(0, () -> tell(each -> each.polled(end.id(), List.of(), true, now)));
          }
        } else if (action instanceof Action.Run<Held> run) {
          handle(run);
        } else if (action instanceof Action.Ack<Held> ack) {
          ack(ack.dispositions());
        } else if (action instanceof Action.Extend<Held> extend) {
          extend(extend);
        }
      }

      private void poll(Action.Poll<Held> poll, long end) {
        if (!waiting.contains(poll.id())) {
          return;
        }
        if (chance(faults / 3)) {
          waiting.remove(poll.id());
          tell(each -> each.pollFailed(poll.id(), now));
          return;
        }
        List<Delivery<Held>> answer = pop(10, poll.partitions());
        if (answer.isEmpty() && now < end) {
          in(faults == 0 ? MILLI : 50 * MILLI, () -> poll(poll, end));
          return;
        }
        waiting.remove(poll.id());
        if (chance(faults / 3)) {
          // The answer is lost, and the lease with it.
          in(latency(), () -> tell(each -> each.pollFailed(poll.id(), now)));
          return;
        }
        in(latency(), () -> tell(each -> each.polled(poll.id(), answer, true, now)));
      }

      private void handle(Action.Run<Held> run) {
        List<Held> messages = run.messages();
        String lane = messages.get(0).lane();
        assertThat(busy.add(lane)).as("two handlers at work on " + lane).isTrue();
        Set<String> together = new HashSet<>();
        for (Held message : messages) {
          assertThat(
                  message.index() == 0
                      || handled.contains(message.before())
                      || together.contains(message.before()))
              .as(message + " overtakes the one before it")
              .isTrue();
          together.add(message.name());
        }
        long takes =
            faults == 0
                ? 10 * MILLI
                : chance(0.02) ? 50 * SECOND : (1 + random.nextInt(200)) * MILLI;
        in(
            takes,
            () -> {
              busy.remove(lane);
              List<Action.Settled<Held>> dispositions = new ArrayList<>();
              for (Held message : messages) {
                if (chance(faults)) {
                  dispositions.add(
                      new Action.Settled<>(
                          message, new Disposition(Disposition.Status.FAILED, "why not")));
                  break;
                }
                handled.add(message.name());
                dispositions.add(new Action.Settled<>(message, Disposition.completed()));
              }
              tell(each -> each.handled(run.id(), dispositions, now));
            });
      }

      private void ack(List<Action.Settled<Held>> dispositions) {
        boolean tooMany = dispositions.size() > 1 && chance(faults);
        boolean lostBefore = chance(faults / 2);
        boolean lostAfter = chance(faults / 2);
        in(
            latency(),
            () -> {
              if (tooMany) {
                tell(each -> each.ackRefused(now));
                return;
              }
              if (lostBefore) {
                tell(each -> each.ackFailed(now));
                return;
              }
              List<ConsumerCore.Outcome> answer = new ArrayList<>();
              for (Action.Settled<Held> each : dispositions) {
                answer.add(Simulation.this.ack(each.message(), each.disposition()));
              }
              in(
                  latency(),
                  () -> tell(each -> lostAfter ? each.ackFailed(now) : each.acked(answer, now)));
            });
      }

      private void extend(Action.Extend<Held> extend) {
        if (chance(faults)) {
          in(latency(), () -> tell(each -> each.extendFailed(extend.leaseId(), false, now)));
          return;
        }
        in(
            latency(),
            () -> {
              boolean live = false;
              for (Lane lane : lanes.values()) {
                if (lane.lease.equals(extend.leaseId()) && now < lane.expires) {
                  lane.expires = Math.max(lane.expires, now + extend.seconds() * SECOND);
                  live = true;
                }
              }
              boolean extended = live;
              in(
                  latency(),
                  () ->
                      tell(
                          each ->
                              extended
                                  ? each.extended(extend.leaseId(), extend.seconds(), now)
                                  : each.extendFailed(extend.leaseId(), true, now)));
            });
      }
    }
  }
}
