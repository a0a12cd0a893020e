package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.SubscriptionMove;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes what operators do: to messages, dead letters, partitions and groups. */
final class OperatorGenerator {
  private final Dice dice;
  private final SequenceProfile profile;
  private final Supplier<Instant> moments;

  /**
   * A generator.
   *
   * @param moments that the store may compare with creation times
   */
  OperatorGenerator(Dice dice, SequenceProfile profile, Supplier<Instant> moments) {
    this.dice = dice;
    this.profile = profile;
    this.moments = moments;
  }

  Step next(int broker, int number, ModelState state) {
    if (dice.percent(12)) {
      return new Step.Pause(
          broker,
          new PopPause(
              queue(),
              dice.percent(50) ? Optional.of(dice.oneOf(profile.groups())) : Optional.empty(),
              dice.percent(40),
              Optional.empty()));
    }
    int roll = dice.below(100);
    if (roll < 22) {
      return new Step.DeleteMessage(broker, message(state));
    }
    if (roll < 40) {
      return new Step.DeadLetter(
          broker,
          new DeadLettering(
              message(state),
              dice.oneOf(profile.groups()),
              dice.percent(50) ? Optional.of("by hand") : Optional.empty()));
    }
    if (roll < 62) {
      return new Step.GiveBack(
          broker,
          number,
          new Redrive.Selected(
              selection(state),
              dice.oneOf(1, 2, 1000),
              dice.percent(30) ? Optional.of("r" + dice.below(2)) : Optional.empty()));
    }
    if (roll < 72) {
      return new Step.GiveBack(
          broker,
          number,
          new Redrive.OneMessage(
              letter(state)
                  .map(
                      letter ->
                          new MessageKey(
                              state.partitionId(letter.key().queue(), letter.key().partition()),
                              letter.message().transactionId()))
                  .orElseGet(() -> message(state)),
              dice.percent(50) ? Optional.empty() : Optional.of(dice.oneOf(profile.groups()))));
    }
    if (roll < 76) {
      return new Step.Purge(broker, selection(state));
    }
    if (roll < 84) {
      return new Step.Clear(broker, queue(), dice.percent(60) ? partition() : Optional.empty());
    }
    if (roll < 89) {
      return new Step.DeletePartition(broker, queue(), partition().orElseThrow());
    }
    return group(broker);
  }

  private Step group(int broker) {
    String group = dice.oneOf(profile.groups());
    boolean nameless = group.equals(PopRequest.QUEUE_MODE);
    if (dice.percent(60) || nameless) {
      return new Step.DeleteGroup(
          broker,
          new GroupDeletion(
              group,
              // Without a name it is the same group in all sequences that run.
              dice.percent(50) || nameless ? Optional.of(queue()) : Optional.empty(),
              dice.percent(50)));
    }
    return new Step.MoveSubscription(broker, new SubscriptionMove(group, moments.get()));
  }

  private String queue() {
    return dice.percent(4) ? "never" : dice.oneOf(profile.queues());
  }

  private Optional<String> partition() {
    return Optional.of(dice.percent(4) ? "never" : dice.oneOf(profile.partitions()));
  }

  private MessageKey message(ModelState state) {
    List<ModelPartition> partitions =
        state.partitions().stream().filter(each -> !each.messages.isEmpty()).toList();
    if (partitions.isEmpty() || dice.percent(4)) {
      return new MessageKey(new UUID(0xdead, 0), "t0");
    }
    ModelPartition partition = dice.oneOf(partitions);
    Message message = dice.oneOf(partition.messages).message();
    return new MessageKey(
        partition.id,
        dice.percent(4) || message.transactionId().startsWith("\0")
            ? "unknown"
            : message.transactionId());
  }

  private Optional<ModelDeadLetter> letter(ModelState state) {
    // In an order that a seed repeats.
    List<ModelDeadLetter> letters =
        state.deadLetters.values().stream()
            .sorted(Comparator.comparing(letter -> letter.key().toString()))
            .toList();
    return letters.isEmpty() ? Optional.empty() : Optional.of(dice.oneOf(letters));
  }

  private DeadLetterSelection selection(ModelState state) {
    Optional<ModelDeadLetter> some = letter(state);
    return new DeadLetterSelection(
        some.filter(letter -> dice.percent(90)).map(l -> l.key().queue()).orElseGet(this::queue),
        dice.percent(20) ? partition() : Optional.empty(),
        dice.percent(30) ? Optional.of(dice.oneOf(profile.groups())) : Optional.empty(),
        some.filter(letter -> dice.percent(15)).map(ModelDeadLetter::failedAt),
        some.filter(letter -> dice.percent(15)).map(ModelDeadLetter::failedAt),
        some.filter(letter -> dice.percent(20))
            .map(letter -> List.of(letter.message().transactionId(), "t1"))
            .orElse(List.of()));
  }
}
