package dev.queenmq.server.encryption;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object that stands in the place of a sealed payload, taken apart. Its version is {@code
 * 2}: bound to its message. Without a version it is the older form, which is not; older servers
 * moreover stored sixteen bytes of which twelve were the nonce, and no key's name. All are read.
 *
 * <p>The version is not authenticated by itself, and need not be: it says whether the place of the
 * message was authenticated, and the tag fits only one of the two.
 */
final class StoredForm {
  static final String BOUND = "2";
  static final int NONCE_BYTES = 12;
  static final int TAG_BYTES = 16;

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private byte @Nullable [] ciphertext;
  private byte @Nullable [] nonce;
  private byte @Nullable [] tag;
  private @Nullable String keyId;
  private boolean bound;

  private StoredForm() {}

  /** The object's text. */
  static String write(String keyId, byte[] nonce, byte[] ciphertextAndTag) {
    Base64.Encoder base64 = Base64.getEncoder();
    int length = ciphertextAndTag.length - TAG_BYTES;
    String ciphertext = text(base64.encode(ByteBuffer.wrap(ciphertextAndTag, 0, length)));
    String tag = text(base64.encode(ByteBuffer.wrap(ciphertextAndTag, length, TAG_BYTES)));
    return start(keyId)
        + "\"iv\":\""
        + base64.encodeToString(nonce)
        + "\",\"authTag\":\""
        + tag
        + "\",\"encrypted\":\""
        + ciphertext
        + "\"}";
  }

  /** How the text begins of what this key has sealed: found so in the database, too. */
  static String start(String keyId) {
    return "{\"v\":\"" + BOUND + "\",\"keyId\":\"" + keyId + "\",";
  }

  /**
   * Takes an object's text apart.
   *
   * @throws UnopenablePayloadException if it is something else
   */
  static StoredForm read(String text) {
    StoredForm form = new StoredForm();
    try (JsonParser in = FACTORY.createParser(text)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw malformed();
      }
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        form.field(in, in.currentName());
      }
    } catch (IOException | IllegalArgumentException e) {
      // Not as the cause: it may repeat a part of the text.
      throw malformed();
    }
    if (form.ciphertext == null || form.nonce == null || form.tag == null) {
      throw malformed();
    }
    return form;
  }

  private void field(JsonParser in, String name) throws IOException {
    if (in.nextToken() != JsonToken.VALUE_STRING) {
      throw malformed();
    }
    switch (name) {
      case "encrypted" -> ciphertext = decoded(in);
      case "iv" -> nonce = nonce(decoded(in));
      case "authTag" -> tag = tag(decoded(in));
      case "keyId" -> keyId = in.getText();
      case "v" -> bound = version(in.getText());
      default -> {}
    }
  }

  private static boolean version(String text) {
    if (!text.equals(BOUND)) {
      throw new UnopenablePayloadException(
          UnopenablePayloadException.Reason.MALFORMED,
          "The stored payload is in a form that this version does not know");
    }
    return true;
  }

  private static byte[] decoded(JsonParser in) throws IOException {
    return Base64.getDecoder().decode(in.getText());
  }

  private static byte[] nonce(byte[] iv) {
    return switch (iv.length) {
      case NONCE_BYTES -> iv;
      case 16 -> Arrays.copyOf(iv, NONCE_BYTES);
      default -> throw malformed();
    };
  }

  private static byte[] tag(byte[] tag) {
    if (tag.length != TAG_BYTES) {
      throw malformed();
    }
    return tag;
  }

  private static String text(ByteBuffer ascii) {
    return new String(
        ascii.array(), ascii.arrayOffset(), ascii.remaining(), StandardCharsets.ISO_8859_1);
  }

  private static UnopenablePayloadException malformed() {
    return new UnopenablePayloadException(
        UnopenablePayloadException.Reason.MALFORMED, "The stored payload is malformed");
  }

  byte[] nonce() {
    return present(nonce);
  }

  byte[] ciphertext() {
    return present(ciphertext);
  }

  byte[] tag() {
    return present(tag);
  }

  /** Whether it was sealed for one message. */
  boolean isBound() {
    return bound;
  }

  /** The key that sealed it, unless an older server did. */
  @Nullable String keyId() {
    return keyId;
  }

  private static byte[] present(byte @Nullable [] part) {
    if (part == null) {
      throw malformed();
    }
    return part;
  }
}
