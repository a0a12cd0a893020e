package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.MessageAvailable;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncMessageCodecTest {
  private static final int ROUNDS = 16_000;

  /** How many bytes of objects a packet of 1,308 bytes may become. */
  private static final long MOST_ALLOCATED = 200 * 1024;

  @Test
  void whatIsWritten_isReadAgain() {
    MessageDice dice = new MessageDice(1);
    for (int i = 0; i < ROUNDS; i++) {
      SyncMessage message = dice.message(i % MessageDice.KINDS, 5);
      List<byte[]> payloads = SyncMessageCodec.encode(message);
      assertThat(payloads).hasSize(1);
      assertThat(SyncMessageCodec.decode(message.type(), payloads.get(0))).contains(message);
    }
  }

  @Test
  void largeMessages_areSplit_andNothingIsLost() {
    MessageDice dice = new MessageDice(2);
    for (int i = 0; i < 300; i++) {
      MessageAvailable message = (MessageAvailable) dice.message(0, 400);
      List<PartitionRef> read = new ArrayList<>();
      for (byte[] payload : SyncMessageCodec.encode(message)) {
        assertThat(payload).hasSizeLessThanOrEqualTo(SyncMessageCodec.MAX_PAYLOAD);
        MessageAvailable piece =
            (MessageAvailable) SyncMessageCodec.decode(message.type(), payload).orElseThrow();
        assertThat(piece.queue()).isEqualTo(message.queue());
        read.addAll(piece.partitions());
      }
      assertThat(read).isEqualTo(message.partitions());
    }
  }

  @Test
  void onePacket_carriesManyLeases() {
    List<UUID> ids = Stream.generate(UUID::randomUUID).limit(120).toList();
    assertThat(SyncMessageCodec.encode(new LeaseHintAcquired("orders", "g", 60_000, ids)))
        .hasSize(2);
  }

  @Test
  void longestNames_areToldOrLeftOut_neverTooLong() {
    String longest = "👑".repeat(255);
    MessageAvailable fits =
        new MessageAvailable(longest, List.of(new PartitionRef("p", Optional.empty())));
    assertThat(SyncMessageCodec.encode(fits)).hasSize(1);
    MessageAvailable tooLong =
        new MessageAvailable(longest, List.of(new PartitionRef(longest, Optional.empty())));
    assertThat(SyncMessageCodec.encode(tooLong)).isEmpty();
    assertThat(
            SyncMessageCodec.encode(
                new PartitionFree(longest, longest, UUID.randomUUID(), longest)))
        .isEmpty();
  }

  @Test
  void settingsThatDoNotFit_areAnnouncedWithoutTheirContent() {
    QueueConfigSet large = new QueueConfigSet("q", Optional.of(Map.of("a", "x".repeat(2000))), 7);
    List<byte[]> payloads = SyncMessageCodec.encode(large);
    assertThat(SyncMessageCodec.decode(large.type(), payloads.get(0)))
        .contains(new QueueConfigSet("q", Optional.empty(), 7));
  }

  @Test
  void unknownFields_areSkipped_andUnknownTypesIgnored() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("new", Map.of("deep", List.of(1, "two", Map.of("three", true))));
    fields.put("queue", "orders");
    fields.put("epoch", 3);
    byte[] payload = Wire.write(fields);
    assertThat(SyncMessageCodec.decode(20, payload))
        .contains(new SyncMessage.ConsumerRegistered("orders", 3));
    assertThat(SyncMessageCodec.decode(99, payload)).isEmpty();
    assertThat(SyncMessageCodec.decode(-1, payload)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 11, 20, 21, 22, 25, 30, 31, 40, 41})
  void anything_isReadWithoutHarm(int type) {
    MessageDice dice = new MessageDice(type);
    long most = 0;
    for (int i = 0; i < ROUNDS / 8; i++) {
      byte[] payload =
          i % 4 == 0
              ? dice.noise()
              : dice.mutated(first(dice.message(dice.below(MessageDice.KINDS), 8)));
      long before = allocated();
      Optional<SyncMessage> read = SyncMessageCodec.decode(type, payload);
      // The first ones load classes.
      most = i < ROUNDS / 16 ? 0 : Math.max(most, allocated() - before);
      assertThat(read).isNotNull();
      read.ifPresent(message -> assertThat(message.type()).isEqualTo(type));
    }
    assertThat(most).isLessThan(MOST_ALLOCATED);
  }

  @Test
  void hugeHeaders_allocateNothing() {
    byte[][] promises = {
      {(byte) 0xdf, 0x7f, -1, -1, -1}, // a map of 2^31-1
      {(byte) 0xdf, -1, -1, -1, -1},
      {(byte) 0x81, (byte) 0xdb, 0x7f, -1, -1, -1}, // a name of 2 GB
      {(byte) 0x81, (byte) 0xa1, 'q', (byte) 0xdb, 0x7f, -1, -1, -1},
      {(byte) 0x81, (byte) 0xa1, 'q', (byte) 0xdd, 0x7f, -1, -1, -1}, // a list
      {(byte) 0x81, (byte) 0xa1, 'q', (byte) 0xc6, 0x7f, -1, -1, -1}, // bytes
      {(byte) 0x81, (byte) 0xa1, 'q', (byte) 0xc9, 0x7f, -1, -1, -1, 1}, // an extension
    };
    for (int round = 0; round < 3; round++) {
      for (byte[] promise : promises) {
        long before = allocated();
        assertThat(SyncMessageCodec.decode(1, promise)).isEmpty();
        if (round > 0) {
          assertThat(allocated() - before).isLessThan(MOST_ALLOCATED);
        }
      }
    }
  }

  @Test
  void deeplyNested_isRefused() {
    byte[] nested = new byte[SyncMessageCodec.MAX_PAYLOAD];
    Arrays.fill(nested, (byte) 0x91);
    nested[0] = (byte) 0x81;
    nested[1] = (byte) 0xa1;
    nested[2] = 'q';
    assertThat(SyncMessageCodec.decode(1, nested)).isEmpty();
  }

  @Test
  void presenceParts_holdEveryQueueOnce() {
    List<String> queues = IntStream.range(0, 5000).mapToObj(i -> "queue-" + i).toList();
    List<List<String>> parts = SyncMessageCodec.presenceParts(queues);
    assertThat(parts).hasSizeBetween(40, 100);
    assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(queues);
    assertThat(SyncMessageCodec.presenceParts(List.of())).containsExactly(List.of());
  }

  private static byte[] first(SyncMessage message) {
    List<byte[]> payloads = SyncMessageCodec.encode(message);
    return payloads.isEmpty() ? Wire.write(new HashMap<>()) : payloads.get(0);
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
