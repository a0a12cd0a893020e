package dev.queenmq.server.udpsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class PacketCodecTest {

  private static final byte[] KEY = new byte[32];
  private static final SessionId SESSION = new SessionId(1_700_000_000_000L, -7);

  private final PacketCodec codec = new PacketCodec(KEY);
  private final SplittableRandom random = new SplittableRandom(4);

  @Test
  void everyPacket_comesBackAsItWas() {
    for (int i = 0; i < 20_000; i++) {
      Packet packet = anyPacket();

      byte[] bytes = codec.encode(packet);

      assertThat(bytes).hasSizeLessThanOrEqualTo(UdpTransport.MAX_PACKET);
      assertGenuine(codec.decode(Buffer.buffer(bytes)), packet);
    }
  }

  @Test
  void packet_isFoundAnywhereInAnArray() {
    Packet packet = anyPacket();
    byte[] bytes = codec.encode(packet);
    byte[] room = new byte[bytes.length + 20];
    System.arraycopy(bytes, 0, room, 13, bytes.length);

    assertGenuine(codec.decode(room, 13, bytes.length), packet);
  }

  /** Byte for byte, so that the protocol is not changed by accident. */
  @Test
  void header_isThatOfTheContract() throws GeneralSecurityException {
    byte[] payload = {1, 2, 3};
    byte[] bytes = codec.encode(new Packet(200, "queen-mq-0:6633", SESSION, 5, payload));

    ByteBuffer expected = ByteBuffer.allocate(95);
    expected.put((byte) 1).put((byte) 200).putShort((short) 3);
    expected.position(36).put("queen-mq-0:6633".getBytes(StandardCharsets.US_ASCII));
    expected.position(68).putLong(SESSION.startedMillis()).putLong(SESSION.nonce()).putLong(5);
    expected.put(payload);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    mac.update(expected.array(), 0, 4);
    mac.update(expected.array(), 36, 95 - 36);
    expected.position(4).put(mac.doFinal());
    assertThat(bytes).isEqualTo(expected.array());
  }

  @Test
  void invalidSignature_isDropped() {
    byte[] bytes = codec.encode(anyPacket());
    byte[] otherKey = new byte[32];
    otherKey[31] = 1;

    assertDropped(new PacketCodec(otherKey).decode(Buffer.buffer(bytes)), DropReason.BAD_SIGNATURE);
  }

  @Test
  void dropped_saysWhy() {
    byte[] bytes = codec.encode(new Packet(1, "a", SESSION, 1, new byte[10]));

    assertDropped(codec.decode(Buffer.buffer()), DropReason.TOO_SHORT);
    assertDropped(codec.decode(bytes, 0, 91), DropReason.TOO_SHORT);
    assertDropped(codec.decode(Buffer.buffer(new byte[1401])), DropReason.TOO_LONG);
    assertDropped(codec.decode(new byte[65_507], 0, 65_507), DropReason.TOO_LONG);
    assertDropped(codec.decode(with(bytes, 0, 2), 0, 102), DropReason.UNKNOWN_VERSION);
    assertDropped(codec.decode(with(bytes, 3, 11), 0, 102), DropReason.BAD_LENGTH);
    assertDropped(codec.decode(bytes, 0, 101), DropReason.BAD_LENGTH);
    assertDropped(codec.decode(with(bytes, 101, 1), 0, 102), DropReason.BAD_SIGNATURE);
  }

  @Test
  void sender_mustBeOne_evenIfItIsSigned() {
    assertDropped(signed(bytes -> bytes[36] = 0), DropReason.BAD_SENDER);
    assertDropped(signed(bytes -> bytes[38] = 'x'), DropReason.BAD_SENDER);
    assertDropped(signed(bytes -> bytes[36] = '\n'), DropReason.BAD_SENDER);
    assertDropped(signed(bytes -> bytes[36] = (byte) 0xe4), DropReason.BAD_SENDER);
    assertDropped(signed(bytes -> Arrays.fill(bytes, 36, 68, (byte) 'x')), DropReason.BAD_SENDER);
  }

  @Test
  void fuzz_randomBytes_neverThrowAndNeverPass() {
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = bytes(random.nextInt(200));
      if (bytes.length > 3 && random.nextBoolean()) {
        // As far as the signature, or else most would end with the first byte.
        bytes[0] = 1;
        bytes[2] = 0;
        bytes[3] = (byte) (bytes.length - 92);
      }

      assertThat(codec.decode(bytes, 0, bytes.length)).isInstanceOf(Decoded.Dropped.class);
    }
  }

  @Test
  void fuzz_everyFlippedBit_isNoticed() {
    byte[] bytes = codec.encode(new Packet(3, "queen:1", SESSION, 77, bytes(40)));
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] altered = bytes.clone();
      altered[bit / 8] ^= (byte) (1 << (bit % 8));

      assertThat(codec.decode(altered, 0, altered.length)).isInstanceOf(Decoded.Dropped.class);
    }
  }

  @Test
  void fuzz_truncationsAndAdditions_areNoticed() {
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = codec.encode(anyPacket());
      int length = random.nextInt(1_600);
      if (length != bytes.length) {
        assertThat(codec.decode(Arrays.copyOf(bytes, length), 0, length))
            .isInstanceOf(Decoded.Dropped.class);
      }
    }
  }

  @Test
  void encode_refusesWhatHasNoRoom() {
    assertThatThrownBy(() -> codec.encode(new Packet(1, "a", SESSION, 1, new byte[1309])))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.encode(new Packet(256, "a", SESSION, 1, new byte[0])))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.encode(new Packet(1, "a".repeat(32), SESSION, 1, new byte[0])))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.encode(new Packet(1, "", SESSION, 1, new byte[0])))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PacketCodec(new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(codec.encode(new Packet(1, "a", SESSION, 1, new byte[1308]))).hasSize(1400);
  }

  private interface Change {
    void on(byte[] bytes);
  }

  /** What a faulty sender that has the key would send. */
  private Decoded signed(Change change) {
    byte[] bytes = codec.encode(new Packet(1, "a", SESSION, 1, new byte[0]));
    change.on(bytes);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      mac.update(bytes, 0, 4);
      mac.update(bytes, 36, bytes.length - 36);
      mac.doFinal(bytes, 4);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    return codec.decode(bytes, 0, bytes.length);
  }

  private Packet anyPacket() {
    StringBuilder sender = new StringBuilder();
    int length = 1 + random.nextInt(31);
    for (int i = 0; i < length; i++) {
      sender.append((char) (0x21 + random.nextInt(0x7f - 0x21)));
    }
    return new Packet(
        random.nextInt(256),
        sender.toString(),
        new SessionId(random.nextLong(), random.nextLong()),
        random.nextLong(),
        bytes(random.nextInt(UdpTransport.MAX_PAYLOAD + 1)));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] altered = bytes.clone();
    altered[at] = (byte) value;
    return altered;
  }

  private static void assertGenuine(Decoded decoded, Packet packet) {
    assertThat(decoded)
        .isInstanceOfSatisfying(
            Decoded.Genuine.class,
            genuine ->
                assertThat(genuine.packet())
                    .returns(packet.type(), Packet::type)
                    .returns(packet.sender(), Packet::sender)
                    .returns(packet.session(), Packet::session)
                    .returns(packet.sequence(), Packet::sequence)
                    .matches(same -> Arrays.equals(same.payload(), packet.payload())));
  }

  private static void assertDropped(Decoded decoded, DropReason reason) {
    assertThat(decoded).isEqualTo(new Decoded.Dropped(reason));
  }
}
