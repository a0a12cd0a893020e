package dev.queenmq.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.queenmq.server.testing.Allocation;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
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

  /** What the inputs were made from: nobody can seal anything else without the keys. */
  private static final String SEALED = "{\"secret\":\"hi\"}";

  private static final long BYTES_AT_LEAST = 256 * 1024;
  private static final long BYTES_PER_BYTE = 50;

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/encryption/stored.dict")
  @FuzzTest
  void stored(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    long bounds = BYTES_AT_LEAST + BYTES_PER_BYTE * bytes.length;
    assertThat(Allocation.isWithin(bounds, () -> open(text))).isTrue();
    assertThat(CIPHER.open(CIPHER.seal(text))).isEqualTo(text);
  }

  private static void open(String text) {
    try {
      assertThat(CIPHER.open(text)).isEqualTo(SEALED);
    } catch (UnopenablePayloadException e) {
      assertThat(e.getMessage()).hasSizeLessThan(200).doesNotContain("\n");
    }
  }
}
