package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes acks, mostly on what is leased, mostly under the right lease. */
final class AckGenerator {

  /** A cursor that acks may be about. */
  private record Subject(ModelPartition partition, String group, Optional<ModelLease> lease) {}

  private final Dice dice;
  private final SequenceProfile profile;
  private final List<UUID> leases;

  /**
   * A generator.
   *
   * @param leases all that were ever granted; grows
   */
  AckGenerator(Dice dice, SequenceProfile profile, List<UUID> leases) {
    this.dice = dice;
    this.profile = profile;
    this.leases = leases;
  }

  Step acks(int broker, ModelState state) {
    List<Ack> acks = dice.percent(40) ? onWholeLeases(state) : new ArrayList<>();
    if (!acks.isEmpty()) {
      return new Step.Acks(broker, acks);
    }
    int cursors = dice.percent(75) ? 1 : dice.between(2, 3);
    for (int i = 0; i < cursors; i++) {
      acks.addAll(onOneCursor(state, dice.oneOf(0, 0, 1, 2)));
    }
    return new Step.Acks(broker, dice.percent(40) ? dice.shuffled(acks) : acks);
  }

  /** Whole leases, if there are any. */
  Optional<Step> done(int broker, ModelState state) {
    List<Ack> acks = onWholeLeases(state);
    return acks.isEmpty() ? Optional.empty() : Optional.of(new Step.Acks(broker, acks));
  }

  /** As most consumers do: all went well, in the order of delivery. */
  private List<Ack> onWholeLeases(ModelState state) {
    List<Ack> acks = new ArrayList<>();
    List<Subject> live =
        subjects(state).stream()
            .filter(subject -> subject.lease.filter(l -> l.isLive(state.now)).isPresent())
            .toList();
    List<Subject> some = dice.shuffled(live).stream().limit(dice.oneOf(1, 1, 2, 3)).toList();
    for (Subject subject : some) {
      ModelLease lease = subject.lease.orElseThrow();
      for (long offset : lease.covers()) {
        acks.add(
            new Ack(
                subject.partition.id,
                subject.group,
                new MessageRef.ByTransactionId(
                    subject.partition.at(offset).message().transactionId()),
                Optional.of(lease.id()),
                AckStatus.COMPLETED,
                Optional.empty()));
      }
    }
    return acks;
  }

  Transaction transaction(ModelState state, MessageGenerator messages) {
    List<Operation> operations = new ArrayList<>();
    messages.messages(dice.below(3)).forEach(m -> operations.add(new Operation.Push(m)));
    if (dice.percent(80)) {
      for (Ack ack : onOneCursor(state, dice.percent(10) ? 2 : 3)) {
        operations.add(new Operation.Acknowledge(ack));
      }
    }
    List<UUID> required = new ArrayList<>();
    if (dice.percent(40)) {
      for (Operation operation : operations) {
        if (operation instanceof Operation.Acknowledge acknowledge) {
          acknowledge.ack().leaseId().ifPresent(required::add);
        }
      }
      if (required.isEmpty() || dice.percent(10)) {
        required.add(lease(state));
      }
    }
    return new Transaction(
        dice.percent(50) ? dice.shuffled(operations) : operations,
        required.stream().distinct().toList());
  }

  /** A lease: the current one, an earlier one, or one that never was. */
  UUID lease(ModelState state) {
    List<UUID> held =
        subjects(state).stream().flatMap(s -> s.lease.stream()).map(ModelLease::id).toList();
    if (!held.isEmpty() && dice.percent(70)) {
      return dice.oneOf(held);
    }
    return leases.isEmpty() || dice.percent(10) ? new UUID(0xbad, 0) : dice.oneOf(leases);
  }

  /** Mood 0: all went well; 1: mixed; 2: anything at all; 3: what a transaction may say. */
  private List<Ack> onOneCursor(ModelState state, int mood) {
    List<Subject> leased =
        subjects(state).stream().filter(subject -> subject.lease.isPresent()).toList();
    if (leased.isEmpty() || dice.percent(12)) {
      return onAnything(state, mood);
    }
    Subject subject = dice.oneOf(leased);
    ModelLease lease = subject.lease.orElseThrow();
    List<Long> offsets = lease.covers();
    if (dice.percent(50)) {
      offsets = dice.someOf(offsets);
    }
    if (dice.percent(30)) {
      offsets = dice.shuffled(offsets);
    }
    int leaseRoll = dice.below(100);
    List<Ack> acks = new ArrayList<>();
    for (long offset : offsets) {
      acks.add(ack(state, subject, offset, mood, leaseRoll));
      if (dice.percent(4)) {
        acks.add(ack(state, subject, offset, mood, leaseRoll));
      }
    }
    if (acks.isEmpty() || dice.percent(6)) {
      acks.addAll(onAnything(state, mood));
    }
    return acks;
  }

  private Ack ack(ModelState state, Subject subject, long offset, int mood, int leaseRoll) {
    Optional<UUID> lease = subject.lease.map(ModelLease::id);
    if (leaseRoll < 15) {
      lease = Optional.empty();
    } else if (leaseRoll < 22 || dice.percent(1)) {
      lease = Optional.of(lease(state));
    }
    MessageRef message =
        dice.percent(30) || offset >= subject.partition.next()
            ? new MessageRef.ByOffset(offset)
            : new MessageRef.ByTransactionId(
                subject.partition.at(offset).message().transactionId());
    return new Ack(
        subject.partition.id,
        subject.group,
        message,
        lease,
        status(mood),
        dice.percent(40) ? Optional.of("error" + dice.below(10)) : Optional.empty());
  }

  private AckStatus status(int mood) {
    return switch (mood) {
      case 0 -> AckStatus.COMPLETED;
      case 1 -> dice.percent(60) ? AckStatus.COMPLETED : dice.oneOf(AckStatus.values());
      case 2 -> dice.oneOf(AckStatus.values());
      default ->
          dice.oneOf(AckStatus.COMPLETED, AckStatus.COMPLETED, AckStatus.DLQ, AckStatus.FAILED);
    };
  }

  /** A message of any partition, mostly without a lease. */
  private List<Ack> onAnything(ModelState state, int mood) {
    List<ModelPartition> partitions = state.partitions();
    if (partitions.isEmpty() || dice.percent(3)) {
      return List.of(
          new Ack(
              new UUID(0xdead, 0),
              dice.oneOf(profile.groups()),
              new MessageRef.ByTransactionId("t0"),
              dice.percent(50) ? Optional.of(lease(state)) : Optional.empty(),
              status(mood),
              Optional.empty()));
    }
    ModelPartition partition = dice.oneOf(partitions);
    Subject subject = new Subject(partition, dice.oneOf(profile.groups()), Optional.empty());
    if (dice.percent(5)) {
      MessageRef message = new MessageRef.ByTransactionId(dice.oneOf("unknown", ""));
      return List.of(
          new Ack(
              partition.id,
              subject.group,
              message,
              Optional.empty(),
              status(mood),
              Optional.empty()));
    }
    List<Ack> acks = new ArrayList<>();
    for (int i = dice.below(2); i >= 0; i--) {
      acks.add(ack(state, subject, dice.below((int) partition.next() + 1), mood, 50));
    }
    return acks;
  }

  private static List<Subject> subjects(ModelState state) {
    List<Subject> subjects = new ArrayList<>();
    for (ModelPartition partition : state.partitions()) {
      partition.cursors.forEach(
          (group, cursor) -> subjects.add(new Subject(partition, group, cursor.lease)));
    }
    return subjects;
  }
}
