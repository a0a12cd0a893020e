package dev.queenmq.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.queenmq.server.encryption.UnopenablePayloadException.Reason;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCipherTest {
  private static final EncryptionKey OLD =
      EncryptionKey.ofHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  private static final EncryptionKey NEW = EncryptionKey.ofHex("f".repeat(64));
  private static final EncryptionKey OTHER = EncryptionKey.ofHex("E".repeat(64));

  /** Made by the older server: sixteen bytes of iv, no key's name. */
  private static final String FROM_OLDER_SERVER =
      "{\"encrypted\":\"dbVwXsp0AC+3wC3Dx9EN\",\"iv\":\"hvAnmlGZCyYcitDAEQbVxQ==\","
          + "\"authTag\":\"JczLXtrQz1y4Vjsbyn6/yA==\"}";

  private final PayloadCipher cipher = cipher(OLD);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "0",
        "\"\"",
        "{}",
        "{\"a\" :  1.0}",
        "\"gr\u00fc\u00df \ud83d\ude00\"",
        ""
      })
  void open_givesBackWhatWasSealed(String payload) {
    assertThat(cipher.open(cipher.seal(payload))).isEqualTo(payload);
  }

  @Test
  void open_givesBackLargePayloads() {
    String payload = "\"" + "0123456789abcdef".repeat(1 << 19) + "\"";

    assertThat(cipher.open(cipher.seal(payload))).isEqualTo(payload);
  }

  @Test
  void seal_writesAnObjectWithFourTexts() {
    JsonObject stored = new JsonObject(cipher.seal("{\"secret\":\"hi\"}"));

    assertThat(stored.fieldNames()).containsExactly("encrypted", "iv", "authTag", "keyId");
    assertThat(bytes(stored, "encrypted")).hasSize("{\"secret\":\"hi\"}".length());
    assertThat(bytes(stored, "iv")).hasSize(12);
    assertThat(bytes(stored, "authTag")).hasSize(16);
    // The first four bytes of the key's SHA-256.
    assertThat(stored.getString("keyId")).isEqualTo("630dcd29").isEqualTo(OLD.id());
  }

  @Test
  void seal_neverUsesANonceTwice() {
    Set<String> nonces = new HashSet<>();
    IntStream.range(0, 10_000)
        .forEach(i -> nonces.add(new JsonObject(cipher.seal("1")).getString("iv")));

    assertThat(nonces).hasSize(10_000);
  }

  @Test
  void open_readsTheOlderForm() {
    assertThat(cipher.open(FROM_OLDER_SERVER)).isEqualTo("{\"secret\":\"hi\"}");
    JsonObject reordered = new JsonObject();
    JsonObject stored = new JsonObject(FROM_OLDER_SERVER);
    List.of("iv", "authTag", "encrypted").forEach(key -> reordered.put(key, stored.getValue(key)));
    assertThat(cipher.open(reordered.encodePrettily())).isEqualTo("{\"secret\":\"hi\"}");
  }

  @Test
  void open_triesEachKeyOnTheOlderForm() {
    PayloadCipher rotated = new PayloadCipher(Optional.of(NEW), Optional.of(OLD));

    assertThat(rotated.open(FROM_OLDER_SERVER)).isEqualTo("{\"secret\":\"hi\"}");
    assertUnopenable(cipher(NEW), FROM_OLDER_SERVER, Reason.UNKNOWN_KEY);
  }

  @Test
  void rotation_sealsWithTheNewKeyAndOpensBoth() {
    PayloadCipher rotated = new PayloadCipher(Optional.of(NEW), Optional.of(OLD));
    String before = cipher.seal("1");
    String after = rotated.seal("2");

    assertThat(rotated.open(before)).isEqualTo("1");
    assertThat(rotated.open(after)).isEqualTo("2");
    assertThat(cipher(NEW).open(after)).isEqualTo("2");
    assertUnopenable(cipher, after, Reason.UNKNOWN_KEY);
  }

  @Test
  void open_refusesAnUnknownKey_andNamesIt() {
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(() -> cipher(OTHER).open(cipher.seal("1")))
        .withMessageContaining(OLD.id());
    assertUnopenable(PayloadCipher.withoutKeys(), cipher.seal("1"), Reason.UNKNOWN_KEY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypted", "iv", "authTag"})
  void open_noticesEveryChangedBit(String part) {
    JsonObject sealed = new JsonObject(cipher.seal("{\"amount\":100}"));
    byte[] bytes = bytes(sealed, part);
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertUnopenable(cipher, with(sealed, part, changed), Reason.TAMPERED);
    }
  }

  @Test
  void open_refusesWrongLengths() {
    JsonObject sealed = new JsonObject(cipher.seal("{\"amount\":100}"));

    assertUnopenable(cipher, with(sealed, "iv", new byte[11]), Reason.MALFORMED);
    assertUnopenable(cipher, with(sealed, "iv", new byte[0]), Reason.MALFORMED);
    assertUnopenable(cipher, with(sealed, "authTag", new byte[4]), Reason.MALFORMED);
    assertUnopenable(cipher, with(sealed, "authTag", new byte[17]), Reason.MALFORMED);
    assertUnopenable(cipher, with(sealed, "encrypted", new byte[3]), Reason.TAMPERED);
    assertUnopenable(cipher, with(sealed, "encrypted", new byte[0]), Reason.TAMPERED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "7",
        "[]",
        "{}",
        "{\"encrypted\":\"!\",\"iv\":\"AAAAAAAAAAAAAAAA\",\"authTag\":\"AAAAAAAAAAAAAAAAAAAAAA==\"}",
        "{\"encrypted\":1,\"iv\":2,\"authTag\":3}",
        "{\"encrypted\":\"AA==\",\"iv\":\"AAAAAAAAAAAAAAAA\"}",
        "{\"encrypted\":\"AA==\"",
        "secret-text"
      })
  void open_refusesWhatIsNotTheStoredForm_andRepeatsNothingOfIt(String stored) {
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(() -> cipher.open(stored))
        .withMessage("The stored payload is malformed")
        .withNoCause();
  }

  @Test
  void seal_refusesWithoutAKey() {
    PayloadCipher opensOnly = new PayloadCipher(Optional.empty(), Optional.of(OLD));

    assertThat(opensOnly.canSeal()).isFalse();
    assertThat(opensOnly.open(cipher.seal("1"))).isEqualTo("1");
    assertThatExceptionOfType(MissingKeyException.class)
        .isThrownBy(() -> opensOnly.seal("1"))
        .withMessage("encryption key not configured");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "g", " "})
  void key_refusesWhatIsNot64HexadecimalCharacters_andRepeatsNothing(String end) {
    String text = "0".repeat(63) + end;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncryptionKey.ofHex(text))
        .withMessage("A key has 64 hexadecimal characters");
  }

  @Test
  void key_doesNotShowItself() {
    assertThat(NEW.toString()).doesNotContain("ffff").contains(NEW.id());
  }

  @Test
  void threads_shareACipher() {
    assertThat(
            IntStream.range(0, 2_000)
                .parallel()
                .mapToObj(Integer::toString)
                .filter(payload -> cipher.open(cipher.seal(payload)).equals(payload)))
        .hasSize(2_000);
  }

  @Test
  void reader_goesByTheFlagAndNotByTheShape() {
    PayloadReader reader = PayloadReader.with(cipher);

    assertThat(reader.read(FROM_OLDER_SERVER, false).json()).isEqualTo(FROM_OLDER_SERVER);
    assertThat(reader.read(FROM_OLDER_SERVER, true).json()).isEqualTo("{\"secret\":\"hi\"}");
  }

  @Test
  void reader_showsThatAPayloadCannotBeRead() {
    ShownPayload shown = PayloadReader.with(cipher(OTHER)).read(cipher.seal("1"), true);

    assertThat(shown.json()).isEqualTo("null");
    assertThat(shown.problem()).hasValueSatisfying(text -> assertThat(text).contains(OLD.id()));
    assertThat(new ShownPayload.Plain("secret").toString()).doesNotContain("secret");
  }

  private static PayloadCipher cipher(EncryptionKey key) {
    return new PayloadCipher(Optional.of(key), Optional.empty());
  }

  private static void assertUnopenable(PayloadCipher cipher, String stored, Reason reason) {
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(() -> cipher.open(stored))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static byte[] bytes(JsonObject stored, String part) {
    return Base64.getDecoder().decode(stored.getString(part));
  }

  private static String with(JsonObject stored, String part, byte[] bytes) {
    return stored.copy().put(part, Base64.getEncoder().encodeToString(bytes)).encode();
  }
}
