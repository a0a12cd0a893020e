package dev.queenmq.server.sharedstate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/**
 * MessagePack maps of plain values: texts, whole numbers, truth values, ids, lists and maps.
 *
 * <p>What comes in may be anything. A header that promises more than the packet holds is refused
 * before anything is made for it, so that reading never takes more than a small multiple of what
 * was received.
 */
final class Wire {
  private static final int MAX_DEPTH = 8;
  private static final int UUID_BYTES = 16;
  private static final MessagePack.PackerConfig PACKER =
      new MessagePack.PackerConfig().withBufferSize(2 * SyncMessageCodec.MAX_PAYLOAD);

  private Wire() {}

  /** Not what we speak. */
  static final class MalformedException extends RuntimeException {
    MalformedException(String message) {
      super(message);
    }
  }

  static byte[] write(Map<String, Object> fields) {
    try (MessageBufferPacker packer = PACKER.newBufferPacker()) {
      write(packer, fields);
      return packer.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }

  private static void write(MessagePacker packer, Object value) throws IOException {
    if (value instanceof String text) {
      packer.packString(text);
    } else if (value instanceof Long || value instanceof Integer) {
      packer.packLong(((Number) value).longValue());
    } else if (value instanceof Boolean truth) {
      packer.packBoolean(truth);
    } else if (value instanceof UUID id) {
      packer.packBinaryHeader(UUID_BYTES);
      packer.writePayload(
          ByteBuffer.allocate(UUID_BYTES)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .array());
    } else if (value instanceof List<?> list) {
      packer.packArrayHeader(list.size());
      for (Object each : list) {
        write(packer, each);
      }
    } else if (value instanceof Map<?, ?> map) {
      packer.packMapHeader(map.size());
      for (Map.Entry<?, ?> each : map.entrySet()) {
        write(packer, each.getKey());
        write(packer, each.getValue());
      }
    } else {
      throw new IllegalArgumentException("no place for " + value.getClass() + " in a packet");
    }
  }

  /** Throws some runtime exception if that is not one map. */
  static Map<String, Object> read(byte[] payload) {
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
      return new Reader(unpacker, payload.length).map(0);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private record Reader(MessageUnpacker unpacker, int length) {

    Map<String, Object> map(int depth) throws IOException {
      int size = within(unpacker.unpackMapHeader(), 2);
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < size; i++) {
        String key = text();
        Object value = value(depth + 1);
        if (value != null) {
          map.put(key, value);
        }
      }
      return map;
    }

    private List<Object> list(int depth) throws IOException {
      int size = within(unpacker.unpackArrayHeader(), 1);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Object value = value(depth + 1);
        if (value != null) {
          list.add(value);
        }
      }
      return list;
    }

    private String text() throws IOException {
      int size = within(unpacker.unpackRawStringHeader(), 1);
      return new String(unpacker.readPayload(size), UTF_8);
    }

    /** Null for what we have no use for. */
    private @Nullable Object value(int depth) throws IOException {
      if (depth > MAX_DEPTH) {
        throw new MalformedException("nested too deeply");
      }
      ValueType type = unpacker.getNextFormat().getValueType();
      return switch (type) {
        case STRING -> text();
        case INTEGER -> unpacker.unpackLong();
        case BOOLEAN -> unpacker.unpackBoolean();
        case BINARY -> binary();
        case ARRAY -> list(depth);
        case MAP -> map(depth);
        case NIL, FLOAT, EXTENSION -> {
          unpacker.skipValue();
          yield null;
        }
      };
    }

    private byte[] binary() throws IOException {
      return unpacker.readPayload(within(unpacker.unpackBinaryHeader(), 1));
    }

    /** Checks that the rest is long enough for a number of elements of a size. */
    private int within(int count, int leastBytes) {
      if (count < 0 || (long) count * leastBytes > length - unpacker.getTotalReadBytes()) {
        throw new MalformedException("more announced than sent");
      }
      return count;
    }
  }
}
