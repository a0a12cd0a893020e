package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.Seek;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes sequences of steps from seeds. It lets the model take every step, and looks at it to find
 * the next one that may matter: leases to answer, moments at which something becomes due.
 */
final class SequenceGenerator {
  /** When sequences start. */
  static final Instant START = Instant.parse("2031-02-03T04:05:06.789012Z");

  private final Dice dice;
  private final SequenceProfile profile;
  private final ModelStore model;
  private final MessageGenerator messages;
  private final AckGenerator acks;
  private final OptionsGenerator options;
  private final OperatorGenerator operators;
  private final List<UUID> leases = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  private SequenceGenerator(long seed) {
    dice = new Dice(seed);
    profile = SequenceProfile.of(dice);
    // How the store cuts segments is not known here; this only has to be likely.
    model =
        new ModelStore(START, id -> IntStream.range(0, messagesIn(id)).mapToObj(i -> 1).toList());
    messages = new MessageGenerator(dice, profile);
    acks = new AckGenerator(dice, profile, leases);
    options = new OptionsGenerator(dice, profile);
    operators = new OperatorGenerator(dice, profile, this::moment);
  }

  /** The sequence of a seed. */
  static List<Step> sequence(long seed) {
    return new SequenceGenerator(seed).generate();
  }

  private int messagesIn(UUID partitionId) {
    ModelPartition partition = model.state().find(partitionId);
    return partition == null ? 0 : partition.stored().size();
  }

  private List<Step> generate() {
    if (profile.clockSetBack() || dice.percent(profile.keepsUp() ? 20 : 75)) {
      take(options.configureAll(broker()));
    }
    int length = dice.between(20, 60);
    while (steps.size() < length) {
      Step step = profile.keepsUp() && dice.percent(80) ? keepUp() : next();
      take(step);
      if (step instanceof Step.Pop && dice.percent(profile.crashes())) {
        dueMoment().ifPresent(this::take);
      }
    }
    return steps;
  }

  private void take(Step step) {
    steps.add(step);
    Object answer = model.take(step);
    if (step instanceof Step.Pop || step instanceof Step.PushToPoll) {
      for (Object outcome : (List<?>) answer) {
        if (outcome instanceof PopOutcome.Served served) {
          served.batches().stream()
              .flatMap(batch -> batch.lease().stream())
              .forEach(lease -> leases.add(lease.id()));
        }
      }
    }
  }

  private int broker() {
    return dice.percent(65) ? 0 : 1;
  }

  private Step next() {
    if (dice.percent(profile.options())) {
      return options.configure(broker());
    }
    int roll = dice.below(1000);
    if (roll < 220) {
      return messages.push(broker());
    }
    if (roll < 250 && !model.state().partitions().isEmpty()) {
      return pushToPoll(broker());
    }
    if (roll < 480) {
      return pop();
    }
    if (roll < 700) {
      return acks.acks(broker(), model.state());
    }
    if (roll < 760) {
      return new Step.Transact(broker(), acks.transaction(model.state(), messages));
    }
    if (roll < 830) {
      return dice.percent(60) ? dueMoment().orElseGet(this::pass) : pass();
    }
    if (roll < 850) {
      return renew();
    }
    if (roll < 870) {
      return seek();
    }
    if (roll < 890) {
      return drop();
    }
    if (roll < 900) {
      return evict();
    }
    if (roll < 993) {
      return operators.next(broker(), steps.size(), model.state());
    }
    return profile.clockSetBack()
        ? pass()
        : new Step.Delete(broker(), List.of(dice.oneOf(profile.queues())));
  }

  /** At one broker, which has in memory what it has just pushed. */
  private Step keepUp() {
    int broker = dice.percent(95) ? 0 : 1;
    List<UUID> ids = model.state().partitions().stream().map(partition -> partition.id).toList();
    if (!ids.isEmpty() && dice.percent(30)) {
      return pushToPoll(broker);
    }
    return acks.done(broker, model.state())
        .orElseGet(
            () ->
                ids.isEmpty() || !(steps.get(steps.size() - 1) instanceof Step.Push)
                    ? messages.push(broker, true)
                    : new Step.Pop(
                        broker,
                        steps.size(),
                        Stream.generate(() -> usualPopRequest(ids))
                            .limit(dice.oneOf(1, 1, 2))
                            .toList()));
  }

  private Step pushToPoll(int broker) {
    ModelPartition partition = dice.oneOf(List.copyOf(model.state().partitions()));
    return new Step.PushToPoll(
        broker,
        steps.size(),
        messages.of(partition, dice.oneOf(1, 1, 2, 5)),
        usualPopRequest(List.of(partition.id)));
  }

  private Step pop() {
    int requests = dice.percent(70) ? 1 : dice.between(2, 4);
    List<UUID> ids = model.state().partitions().stream().map(partition -> partition.id).toList();
    Supplier<PopRequest> next =
        !ids.isEmpty() && dice.percent(30) ? () -> usualPopRequest(ids) : this::popRequest;
    return new Step.Pop(broker(), steps.size(), Stream.generate(next).limit(requests).toList());
  }

  /** As the ready lists ask: most of these are plain statements. */
  private PopRequest usualPopRequest(List<UUID> ids) {
    return new PopRequest(
        new PopTarget.Candidates(Optional.empty(), List.of(dice.oneOf(ids))),
        dice.oneOf(profile.groups()),
        dice.oneOf(1, 2, 3, 10, 100),
        dice.oneOf(1, 1, 10),
        false,
        new Subscription.All());
  }

  private PopRequest popRequest() {
    Subscription subscription =
        switch (dice.below(5)) {
          case 0 -> new Subscription.New();
          case 1 -> new Subscription.After(moment());
          default -> new Subscription.All();
        };
    return new PopRequest(
        dice.percent(50) ? named() : candidates(),
        dice.oneOf(profile.groups()),
        dice.percent(1) ? 0 : dice.oneOf(1, 1, 1, 2, 2, 3, 4, 5, 10, 100),
        dice.oneOf(1, 1, 1, 2, 3, 10),
        dice.percent(15),
        subscription);
  }

  private PopTarget named() {
    return new PopTarget.Named(
        dice.oneOf(profile.queues()), dice.percent(3) ? "never" : dice.oneOf(profile.partitions()));
  }

  private PopTarget candidates() {
    List<UUID> ids =
        new ArrayList<>(
            model.state().partitions().stream().map(partition -> partition.id).toList());
    Optional<String> queue = Optional.empty();
    if (dice.percent(60) || ids.isEmpty()) {
      String chosen = dice.oneOf(profile.queues());
      ids.removeIf(id -> !Objects.requireNonNull(model.state().find(id)).queue.equals(chosen));
      queue = Optional.of(chosen);
    }
    if (dice.percent(5)) {
      ids.add(new UUID(0xdead, dice.below(3)));
    }
    if (!ids.isEmpty() && dice.percent(4)) {
      ids.add(dice.oneOf(ids));
    }
    List<UUID> shuffled = dice.shuffled(ids);
    return new PopTarget.Candidates(queue, dice.percent(30) ? dice.someOf(shuffled) : shuffled);
  }

  private Step renew() {
    if (dice.percent(25)) {
      return new Step.EndLease(broker(), acks.lease(model.state()));
    }
    List<Renewal> renewals =
        Stream.generate(
                () ->
                    new Renewal(
                        acks.lease(model.state()),
                        Duration.ofSeconds(dice.oneOf(0, 5, 10, 60, 1000))))
            .limit(dice.oneOf(1, 1, 2, 3))
            .toList();
    return new Step.Renew(broker(), renewals);
  }

  private Step seek() {
    Optional<String> partition =
        dice.percent(50)
            ? Optional.of(dice.percent(4) ? "never" : dice.oneOf(profile.partitions()))
            : Optional.empty();
    return new Step.Move(
        broker(),
        new Seek(
            dice.percent(4) ? "never" : dice.oneOf(profile.queues()),
            partition,
            dice.oneOf(profile.groups()),
            dice.percent(25) ? new Seek.Position.End() : new Seek.Position.After(moment())));
  }

  private Step drop() {
    List<ModelPartition> partitions = model.state().partitions();
    if (partitions.isEmpty() || dice.percent(3)) {
      return new Step.Drop(0, new UUID(0xdead, 0), model.state().now, Long.MAX_VALUE, 10);
    }
    ModelPartition partition = dice.oneOf(partitions);
    return new Step.Drop(
        broker(),
        partition.id,
        dice.percent(50) ? model.state().now.plusSeconds(1) : moment(),
        dice.percent(50) ? Long.MAX_VALUE : dice.below((int) partition.next() + 1),
        dice.oneOf(1, 2, 3, 1000));
  }

  private Step evict() {
    return new Step.Evict(
        broker(), dice.oneOf(profile.queues()), dice.oneOf(1, 2, 100), dice.oneOf(1, 2, 100));
  }

  private Step pass() {
    if (profile.clockSetBack() && dice.percent(40)) {
      return new Step.Pass(Duration.ofSeconds(dice.oneOf(-1, -15)));
    }
    return new Step.Pass(
        dice.oneOf(
            Duration.ofMillis(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(100),
            Duration.ofSeconds(1000),
            Duration.ofHours(1)));
  }

  /** A moment that the store may compare with creation times. */
  private Instant moment() {
    List<ModelPartition> partitions = model.state().partitions();
    if (!partitions.isEmpty() && dice.percent(80)) {
      ModelPartition partition = dice.oneOf(partitions);
      if (!partition.messages.isEmpty()) {
        Instant createdAt = dice.oneOf(partition.messages).createdAt();
        return createdAt.plus(dice.oneOf(-1, 0, 0, 1), ChronoUnit.MICROS);
      }
    }
    return dice.percent(50) ? model.state().now : START.minusSeconds(1);
  }

  /** Waits until something changes by itself, or until just before or after. */
  private Optional<Step> dueMoment() {
    ModelState state = model.state();
    List<Instant> moments = new ArrayList<>();
    for (ModelPartition partition : state.partitions()) {
      ModelQueue queue = state.queueOf(partition);
      partition
          .newest()
          .ifPresent(
              newest -> {
                moments.add(newest.plus(queue.windowBuffer()));
                moments.add(newest.plus(queue.delayedProcessing()));
                moments.add(newest.plusSeconds(queue.dedupWindow()));
              });
      for (ModelCursor cursor : partition.cursors.values()) {
        cursor.lease.ifPresent(lease -> moments.add(lease.expiresAt()));
        cursor.lease.ifPresent(lease -> moments.add(lease.expiresAt()));
        cursor.notBefore.ifPresent(moments::add);
      }
    }
    moments.removeIf(moment -> !moment.isAfter(state.now));
    if (moments.isEmpty()) {
      return Optional.empty();
    }
    Instant moment = dice.oneOf(moments).plus(dice.oneOf(-1, 0, 0, 0, 1), ChronoUnit.MICROS);
    return Optional.of(new Step.Pass(Duration.between(state.now, moment)));
  }
}
