package dev.queenmq.server.udpsync;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/** Packets to bytes and back, signed. Belongs to one thread at a time. */
public final class PacketCodec {

  /** Bytes of a whole packet, so that it fits into one frame of any network: never fragmented. */
  public static final int MAX_PACKET = 1400;

  /** Bytes before the payload. */
  public static final int HEADER = 92;

  /** Bytes of payload. */
  public static final int MAX_PAYLOAD = MAX_PACKET - HEADER;

  /** Bytes of a sender's id; the field has one more, which ends it. */
  public static final int MAX_SENDER = 31;

  /** Bytes of a secret. */
  public static final int KEY = 32;

  /*
   * Big endian:
   *
   *   0  version, type (1 byte each), length of the payload (2)
   *   4  HMAC-SHA256 of everything else (32)
   *  36  id of the sender, padded with zeros (32)
   *  68  session: start in milliseconds (8), random (8)
   *  84  sequence (8)
   *  92  payload
   */
  private static final byte VERSION = 1;
  private static final int SIGNATURE_AT = 4;
  private static final int SIGNATURE = 32;
  private static final int SENDER_AT = SIGNATURE_AT + SIGNATURE;
  private static final int SESSION_AT = SENDER_AT + MAX_SENDER + 1;
  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;
  private final byte[] expected = new byte[SIGNATURE];
  private final byte[] given = new byte[SIGNATURE];

  /**
   * A codec.
   *
   * @param key that all brokers share
   */
  public PacketCodec(byte[] key) {
    if (key.length != KEY) {
      throw new IllegalArgumentException("the key has %d bytes, not %d".formatted(key.length, KEY));
    }
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /**
   * The bytes of a packet.
   *
   * @throws IllegalArgumentException if a part of it has no room
   */
  public byte[] encode(Packet packet) {
    byte[] payload = packet.payload();
    if (!isSender(packet.sender())) {
      throw new IllegalArgumentException("no id of a sender: '%s'".formatted(packet.sender()));
    }
    if (payload.length > MAX_PAYLOAD || packet.type() < 0 || packet.type() > 255) {
      throw new IllegalArgumentException(
          "no room for %d bytes of type %d".formatted(payload.length, packet.type()));
    }
    byte[] bytes = new byte[HEADER + payload.length];
    ByteBuffer.wrap(bytes)
        .put(VERSION)
        .put((byte) packet.type())
        .putShort((short) payload.length)
        .position(SENDER_AT)
        .put(packet.sender().getBytes(StandardCharsets.US_ASCII))
        .position(SESSION_AT)
        .putLong(packet.session().startedMillis())
        .putLong(packet.session().nonce())
        .putLong(packet.sequence())
        .put(payload);
    sign(bytes, 0, bytes.length, bytes, SIGNATURE_AT);
    return bytes;
  }

  /** What a datagram holds; never throws. */
  public Decoded decode(Buffer datagram) {
    int length = datagram.length();
    // Before it is copied.
    return length > MAX_PACKET ? drop(DropReason.TOO_LONG) : decode(datagram.getBytes(), 0, length);
  }

  /** What the first bytes of an array hold; never throws if the array is long enough. */
  public Decoded decode(byte[] bytes, int offset, int length) {
    if (length < HEADER) {
      return drop(DropReason.TOO_SHORT);
    }
    if (length > MAX_PACKET) {
      return drop(DropReason.TOO_LONG);
    }
    ByteBuffer packet = ByteBuffer.wrap(bytes, offset, length).slice();
    if (packet.get() != VERSION) {
      return drop(DropReason.UNKNOWN_VERSION);
    }
    int type = Byte.toUnsignedInt(packet.get());
    if (Short.toUnsignedInt(packet.getShort()) != length - HEADER) {
      return drop(DropReason.BAD_LENGTH);
    }
    packet.get(given);
    sign(bytes, offset, length, expected, 0);
    if (!MessageDigest.isEqual(expected, given)) {
      return drop(DropReason.BAD_SIGNATURE);
    }
    String sender = sender(bytes, offset + SENDER_AT);
    if (sender.isEmpty()) {
      return drop(DropReason.BAD_SENDER);
    }
    packet.position(SESSION_AT);
    SessionId session = new SessionId(packet.getLong(), packet.getLong());
    long sequence = packet.getLong();
    byte[] payload = new byte[length - HEADER];
    packet.get(payload);
    return new Decoded.Genuine(new Packet(type, sender, session, sequence, payload));
  }

  /** Whether a text can stand in a packet as the id of its sender. */
  static boolean isSender(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_SENDER
        && text.chars().allMatch(PacketCodec::isVisible);
  }

  /** The id that is written there, or an empty text. */
  private static String sender(byte[] bytes, int at) {
    int length = 0;
    while (length < MAX_SENDER && isVisible(bytes[at + length])) {
      length++;
    }
    for (int i = length; i <= MAX_SENDER; i++) {
      if (bytes[at + i] != 0) {
        return "";
      }
    }
    return new String(bytes, at, length, StandardCharsets.US_ASCII);
  }

  private static boolean isVisible(int character) {
    return character > ' ' && character < 0x7f;
  }

  /** Signs a packet; the place of its signature does not count. */
  private void sign(byte[] bytes, int offset, int length, byte[] target, int at) {
    mac.update(bytes, offset, SIGNATURE_AT);
    mac.update(bytes, offset + SENDER_AT, length - SENDER_AT);
    try {
      mac.doFinal(target, at);
    } catch (ShortBufferException e) {
      throw new IllegalStateException("a signature has %d bytes".formatted(SIGNATURE), e);
    }
  }

  private static Decoded drop(DropReason reason) {
    return new Decoded.Dropped(reason);
  }
}
