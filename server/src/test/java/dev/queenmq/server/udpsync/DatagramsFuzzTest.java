package dev.queenmq.server.udpsync;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.queenmq.server.sharedstate.SyncMessage;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import dev.queenmq.server.sharedstate.SyncMessageCodec;
import dev.queenmq.server.testing.Allocation;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Any bytes as a datagram, from strangers and from a sender that has the secret: a message, or
 * nothing, in little memory.
 */
@ResourceLock("jazzer")
class DatagramsFuzzTest {
  private static final byte[] KEY = new byte[PacketCodec.KEY];
  private static final int SIGNATURE_AT = 4;
  private static final int SENDER_AT = 36;

  /** How many bytes of objects a packet of 1,400 bytes may become. */
  private static final long MOST_ALLOCATED = 200 * 1024;

  private final PacketCodec codec = new PacketCodec(KEY);

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/udpsync/datagrams.dict")
  @FuzzTest
  void datagrams(byte[] bytes) {
    read(bytes);
    if (bytes.length >= PacketCodec.HEADER) {
      read(signed(bytes));
    }
    if (bytes.length > 0) {
      message(bytes[0] & 0xff, Arrays.copyOfRange(bytes, 1, bytes.length));
    }
  }

  private void read(byte[] bytes) {
    assertThat(Allocation.isWithin(MOST_ALLOCATED, () -> codec.decode(bytes, 0, bytes.length)))
        .isTrue();
    Decoded decoded = codec.decode(bytes, 0, bytes.length);
    if (decoded instanceof Decoded.Genuine genuine) {
      Packet packet = genuine.packet();
      assertThat(codec.encode(packet)).isEqualTo(bytes);
      ReplayGuard guard = new ReplayGuard(1, Duration.ofSeconds(5));
      boolean passed = guard.check(packet, 0).isEmpty();
      assertThat(guard.check(packet, 1)).as("the same once more, after %s", passed).isPresent();
      message(packet.type(), packet.payload());
    }
  }

  private static void message(int type, byte[] payload) {
    assertThat(Allocation.isWithin(MOST_ALLOCATED, () -> SyncMessageCodec.decode(type, payload)))
        .isTrue();
    Optional<SyncMessage> read = SyncMessageCodec.decode(type, payload);
    if (read.isEmpty()) {
      return;
    }
    assertThat(read.get().type()).isEqualTo(type);
    List<byte[]> written = SyncMessageCodec.encode(read.get());
    assertThat(written)
        .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(SyncMessageCodec.MAX_PAYLOAD));
    if (written.size() == 1 && !(read.get() instanceof QueueConfigSet)) {
      assertThat(SyncMessageCodec.decode(type, written.get(0))).isEqualTo(read);
    }
  }

  /** The same from a sender that has the secret. */
  private static byte[] signed(byte[] bytes) {
    byte[] packet = bytes.clone();
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      mac.update(packet, 0, SIGNATURE_AT);
      mac.update(packet, SENDER_AT, packet.length - SENDER_AT);
      mac.doFinal(packet, SIGNATURE_AT);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    return packet;
  }
}
