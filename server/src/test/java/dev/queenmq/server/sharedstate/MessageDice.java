package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.ConsumerDeregistered;
import dev.queenmq.server.sharedstate.SyncMessage.ConsumerRegistered;
import dev.queenmq.server.sharedstate.SyncMessage.GroupMoved;
import dev.queenmq.server.sharedstate.SyncMessage.Heartbeat;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import dev.queenmq.server.sharedstate.SyncMessage.MaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.MessageAvailable;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionDeleted;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.PopMaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigDelete;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Random messages that a seed repeats. */
final class MessageDice {
  static final int KINDS = 13;
  private final Random random;

  MessageDice(long seed) {
    random = new Random(seed);
  }

  /** Of a kind, with lists up to a number of elements. */
  SyncMessage message(int kind, int most) {
    return switch (kind) {
      case 0 -> new MessageAvailable(name(), some(most, this::partition));
      case 1 -> new PartitionFree(name(), name(), id(), name());
      case 2 -> new Heartbeat(random.nextLong(), random.nextBoolean(), presence(most));
      case 3 ->
          new QueueConfigSet(
              name(), random.nextBoolean() ? Optional.of(config()) : Optional.empty(), number());
      case 4 ->
          new QueueConfigDelete(
              name(), random.nextBoolean() ? OptionalLong.of(number()) : OptionalLong.empty());
      case 5 -> new ConsumerRegistered(name(), number());
      case 6 -> new ConsumerDeregistered(name(), number());
      case 7 -> new PartitionDeleted(name(), some(most, this::name));
      case 8 -> new LeaseHintAcquired(name(), name(), number(), some(most, this::id));
      case 9 -> new LeaseHintReleased(name(), name(), some(most, this::id));
      case 10 -> new MaintenanceSet(random.nextBoolean(), number());
      case 11 -> new GroupMoved(name(), name());
      default -> new PopMaintenanceSet(random.nextBoolean(), number());
    };
  }

  byte[] noise() {
    byte[] bytes = new byte[random.nextInt(SyncMessageCodec.MAX_PAYLOAD + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Some bytes changed, cut off or repeated. */
  byte[] mutated(byte[] payload) {
    byte[] mutant = Arrays.copyOf(payload, random.nextInt(payload.length + 8));
    for (int i = random.nextInt(6); i >= 0 && mutant.length > 0; i--) {
      // Headers of long texts, lists and maps are at the upper end.
      int value = random.nextBoolean() ? random.nextInt(256) : 0xc0 + random.nextInt(64);
      mutant[random.nextInt(mutant.length)] = (byte) value;
    }
    return mutant;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  private long number() {
    return random.nextLong() >>> random.nextInt(64);
  }

  private UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private PartitionRef partition() {
    return new PartitionRef(name(), random.nextBoolean() ? Optional.of(id()) : Optional.empty());
  }

  private PresencePart presence(int most) {
    int parts = 1 + random.nextInt(SyncMessageCodec.MAX_PRESENCE_PARTS);
    return new PresencePart(number(), random.nextInt(parts), parts, some(most, this::name));
  }

  private Map<String, Object> config() {
    Map<String, Object> config = new HashMap<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      config.put(
          name(),
          switch (random.nextInt(3)) {
            case 0 -> number();
            case 1 -> random.nextBoolean();
            default -> name();
          });
    }
    return config;
  }

  private String name() {
    int[] letters = {'a', 'Z', '7', '-', 'ä', '日', 0x1f451};
    int length = 1 + random.nextInt(20);
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < length; i++) {
      name.appendCodePoint(letters[random.nextInt(letters.length)]);
    }
    return name.toString();
  }

  private <T> List<T> some(int most, Supplier<T> element) {
    return Stream.generate(element).limit(1 + random.nextInt(most)).toList();
  }
}
