package dev.queenmq.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.queenmq.server.testing.Allocation;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Any text in the place of a sealed payload: what was sealed, or a refusal that repeats nothing.
 */
@ResourceLock("jazzer")
class StoredFormFuzzTest {
  private static final PayloadCipher CIPHER =
      new PayloadCipher(
          Optional.of(
              EncryptionKey.ofHex(
                  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")),
          Optional.of(EncryptionKey.ofHex("f".repeat(64))));

  /** What the inputs were made from: without the keys nothing else can be encrypted. */
  private static final String SEALED = "{\"secret\":\"hi\"}";

  /** The message that the bound inputs were sealed for. */
  private static final MessageIdentity PLACE = new MessageIdentity("q", "p", new UUID(1, 2));

  private static final long BYTES_AT_LEAST = 256 * 1024;
  private static final long BYTES_PER_BYTE = 50;

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/encryption/stored.dict")
  @FuzzTest
  void stored(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    long bounds = BYTES_AT_LEAST + BYTES_PER_BYTE * bytes.length;
    // An array of one and not an AtomicReference, whose get() the null checker takes for nullable.
    String[] opened = {SEALED};
    assertThat(Allocation.isWithin(bounds, () -> opened[0] = open(text).orElse(SEALED))).isTrue();
    assertThat(opened[0]).isEqualTo(SEALED);
    String sealed = CIPHER.seal(text, PLACE);
    assertThat(CIPHER.open(sealed, PLACE)).isEqualTo(text);
    // The same bytes as the name of another queue: it stays shut there.
    MessageIdentity other = new MessageIdentity(text, PLACE.partition(), PLACE.messageId());
    if (!other.equals(PLACE)) {
      assertThatExceptionOfType(UnopenablePayloadException.class)
          .isThrownBy(() -> CIPHER.openAnyForm(sealed, other));
    }
  }

  /** Only what is measured: the library of assertions takes memory of its own. */
  private static Optional<String> open(String text) {
    try {
      return Optional.of(CIPHER.openAnyForm(text, PLACE));
    } catch (UnopenablePayloadException e) {
      return refused(e);
    }
  }

  private static Optional<String> refused(UnopenablePayloadException e) {
    String text = String.valueOf(e.getMessage());
    if (text.length() >= 200 || text.contains("\n")) {
      throw new AssertionError("a refusal of several lines, or a long one: " + text);
    }
    return Optional.empty();
  }
}
