package dev.queenmq.server.spool.log;

import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.model.Message;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry as bytes: version, flags, time of acceptance, id, the optional trace id, then queue,
 * partition, transaction id, the optional producer and the payload, each as its length and UTF-8.
 * Where the broker has a key, every payload that is not encrypted already is sealed with it:
 * whether its queue is encrypted is not known while PostgreSQL is away.
 */
final class EntryCodec {
  private static final byte VERSION = 1;
  private static final int IN_DOUBT = 1;
  private static final int SEALED = 2;
  private static final int ENCRYPTED = 4;
  private static final int HAS_TRACE = 8;
  private static final int HAS_PRODUCER = 16;
  private static final int FIXED_BYTES = 2 + Long.BYTES + 2 * Long.BYTES + 5 * Integer.BYTES;

  private final PayloadCipher cipher;

  EntryCodec(PayloadCipher cipher) {
    this.cipher = cipher;
  }

  byte[] encode(SpoolEntry entry) {
    Message message = entry.message();
    boolean seal = cipher.canSeal() && !message.encrypted();
    @Nullable UUID trace = message.traceId();
    @Nullable String producerSub = message.producerSub();
    byte[] queue = bytes(message.queue());
    byte[] partition = bytes(message.partition());
    byte[] transactionId = bytes(message.transactionId());
    byte[] producer = producerSub == null ? new byte[0] : bytes(producerSub);
    byte[] payload =
        bytes(seal ? cipher.seal(message.payload(), message.place()) : message.payload());
    long size =
        (long) FIXED_BYTES
            + (trace == null ? 0 : 2 * Long.BYTES)
            + queue.length
            + partition.length
            + transactionId.length
            + producer.length
            + payload.length;
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
    int flags =
        (entry.perhapsStored() ? IN_DOUBT : 0)
            | (seal ? SEALED : 0)
            | (message.encrypted() ? ENCRYPTED : 0)
            | (trace == null ? 0 : HAS_TRACE)
            | (producerSub == null ? 0 : HAS_PRODUCER);
    out.put(VERSION).put((byte) flags).putLong(entry.acceptedAtMillis());
    put(out, message.id());
    if (trace != null) {
      put(out, trace);
    }
    put(out, queue);
    put(out, partition);
    put(out, transactionId);
    put(out, producer);
    put(out, payload);
    return out.array();
  }

  /**
   * What bytes stand for, with the payload as it is in them.
   *
   * @throws IllegalArgumentException if they stand for nothing that this version knows
   */
  static Stored decode(byte[] body) {
    try {
      ByteBuffer in = ByteBuffer.wrap(body);
      if (in.get() != VERSION) {
        throw new IllegalArgumentException("an entry of another version");
      }
      int flags = in.get();
      long acceptedAt = in.getLong();
      UUID id = uuid(in);
      @Nullable UUID trace = (flags & HAS_TRACE) == 0 ? null : uuid(in);
      String queue = text(in);
      String partition = text(in);
      String transactionId = text(in);
      String producer = text(in);
      String payload = text(in);
      Message message =
          new Message(
              queue,
              partition,
              id,
              transactionId,
              payload,
              trace,
              (flags & HAS_PRODUCER) == 0 ? null : producer,
              (flags & ENCRYPTED) != 0);
      return new Stored(
          new SpoolEntry(message, (flags & IN_DOUBT) != 0, acceptedAt), (flags & SEALED) != 0);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("an entry that ends too early", e);
    }
  }

  /**
   * The entry as it was appended.
   *
   * @throws dev.queenmq.server.encryption.UnopenablePayloadException if its payload cannot be
   *     decrypted
   */
  SpoolEntry opened(Stored stored) {
    if (!stored.sealed) {
      return stored.entry;
    }
    Message message = stored.entry.message();
    return new SpoolEntry(
        new Message(
            message.queue(),
            message.partition(),
            message.id(),
            message.transactionId(),
            // Older versions wrote the older form.
            cipher.openAnyForm(message.payload(), message.place()),
            message.traceId(),
            message.producerSub(),
            message.encrypted()),
        stored.entry.perhapsStored(),
        stored.entry.acceptedAtMillis());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(ByteBuffer out, byte[] bytes) {
    out.putInt(bytes.length).put(bytes);
  }

  private static void put(ByteBuffer out, UUID id) {
    out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID uuid(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("an entry with a wrong length");
    }
    String text =
        new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return text;
  }

  /**
   * An entry as it is in a file.
   *
   * @param sealed whether its payload is sealed by the spool, beside what the message itself says
   */
  record Stored(SpoolEntry entry, boolean sealed) {}
}
