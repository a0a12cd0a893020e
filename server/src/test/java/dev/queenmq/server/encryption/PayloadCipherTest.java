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
import java.util.UUID;
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

  /** Made by this server before payloads were bound: a key's name and no version. */
  private static final String UNBOUND = OldForm.seal(OLD, "{\"secret\":\"hi\"}");

  private static final MessageIdentity PLACE = new MessageIdentity("q", "p", new UUID(1, 2));

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
    assertThat(cipher.open(cipher.seal(payload, PLACE), PLACE)).isEqualTo(payload);
  }

  @Test
  void open_givesBackLargePayloads() {
    String payload = "\"" + "0123456789abcdef".repeat(1 << 19) + "\"";

    assertThat(cipher.open(cipher.seal(payload, PLACE), PLACE)).isEqualTo(payload);
  }

  @Test
  void seal_writesAnObjectOfTexts() {
    JsonObject stored = new JsonObject(cipher.seal("{\"secret\":\"hi\"}", PLACE));

    assertThat(stored.fieldNames()).containsExactly("v", "keyId", "iv", "authTag", "encrypted");
    assertThat(stored.getString("v")).isEqualTo("2");
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
        .forEach(i -> nonces.add(new JsonObject(cipher.seal("1", PLACE)).getString("iv")));

    assertThat(nonces).hasSize(10_000);
  }

  @Test
  void open_readsTheOlderForm() {
    assertThat(cipher.openAnyForm(FROM_OLDER_SERVER, PLACE)).isEqualTo("{\"secret\":\"hi\"}");
    JsonObject reordered = new JsonObject();
    JsonObject stored = new JsonObject(FROM_OLDER_SERVER);
    List.of("iv", "authTag", "encrypted").forEach(key -> reordered.put(key, stored.getValue(key)));
    assertThat(cipher.openAnyForm(reordered.encodePrettily(), PLACE))
        .isEqualTo("{\"secret\":\"hi\"}");
  }

  @Test
  void open_triesEachKeyOnTheOlderForm() {
    PayloadCipher rotated = new PayloadCipher(Optional.of(NEW), Optional.of(OLD));

    assertThat(rotated.openAnyForm(FROM_OLDER_SERVER, PLACE)).isEqualTo("{\"secret\":\"hi\"}");
    assertUnopenable(cipher(NEW), FROM_OLDER_SERVER, Reason.UNKNOWN_KEY);
  }

  @Test
  void rotation_sealsWithTheNewKeyAndOpensBoth() {
    PayloadCipher rotated = new PayloadCipher(Optional.of(NEW), Optional.of(OLD));
    String before = cipher.seal("1", PLACE);
    String after = rotated.seal("2", PLACE);

    assertThat(rotated.open(before, PLACE)).isEqualTo("1");
    assertThat(rotated.open(after, PLACE)).isEqualTo("2");
    assertThat(cipher(NEW).open(after, PLACE)).isEqualTo("2");
    assertUnopenable(cipher, after, Reason.UNKNOWN_KEY);
  }

  @Test
  void open_refusesAnUnknownKey_andNamesIt() {
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(() -> cipher(OTHER).open(cipher.seal("1", PLACE), PLACE))
        .withMessageContaining(OLD.id());
    assertUnopenable(PayloadCipher.withoutKeys(), cipher.seal("1", PLACE), Reason.UNKNOWN_KEY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypted", "iv", "authTag"})
  void open_noticesEveryChangedBit(String part) {
    JsonObject sealed = new JsonObject(cipher.seal("{\"amount\":100}", PLACE));
    byte[] bytes = bytes(sealed, part);
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertUnopenable(cipher, with(sealed, part, changed), Reason.TAMPERED);
    }
  }

  @Test
  void open_refusesWrongLengths() {
    JsonObject sealed = new JsonObject(cipher.seal("{\"amount\":100}", PLACE));

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
        .isThrownBy(() -> cipher.openAnyForm(stored, PLACE))
        .withMessage("The stored payload is malformed")
        .withNoCause();
  }

  @Test
  void seal_refusesWithoutAKey() {
    PayloadCipher opensOnly = new PayloadCipher(Optional.empty(), Optional.of(OLD));

    assertThat(opensOnly.canSeal()).isFalse();
    assertThat(opensOnly.open(cipher.seal("1", PLACE), PLACE)).isEqualTo("1");
    assertThatExceptionOfType(MissingKeyException.class)
        .isThrownBy(() -> opensOnly.seal("1", PLACE))
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
                .filter(payload -> cipher.open(cipher.seal(payload, PLACE), PLACE).equals(payload)))
        .hasSize(2_000);
  }

  @Test
  void reader_goesByTheFlagAndNotByTheShape() {
    PayloadReader reader = PayloadReader.with(new Encryption(cipher, false));

    assertThat(reader.read(FROM_OLDER_SERVER, PayloadForm.PLAIN, PLACE).json())
        .isEqualTo(FROM_OLDER_SERVER);
    assertThat(reader.read(FROM_OLDER_SERVER, PayloadForm.SEALED, PLACE).json())
        .isEqualTo("{\"secret\":\"hi\"}");
    assertThat(reader.read(cipher.seal("7", PLACE), PayloadForm.BOUND, PLACE).json())
        .isEqualTo("7");
    assertThat(reader.read(FROM_OLDER_SERVER, PayloadForm.BOUND, PLACE).problem()).isPresent();
  }

  @Test
  void plainPayloadsThatHadToBeSealed_areReadOnlyWhereTheOperatorSaysSo() {
    ShownPayload refused =
        PayloadReader.with(new Encryption(cipher, false))
            .read("{\"forged\":1}", PayloadForm.EXPOSED, PLACE);

    assertThat(refused.json()).isEqualTo("null");
    assertThat(refused.problem())
        .hasValueSatisfying(text -> assertThat(text).contains("not encrypted"));
    assertThat(
            PayloadReader.with(new Encryption(cipher, true))
                .read("{\"forged\":1}", PayloadForm.EXPOSED, PLACE)
                .json())
        .isEqualTo("{\"forged\":1}");
  }

  @Test
  void open_refusesWhatWasSealedForAnotherMessage() {
    String sealed = cipher.seal("1", PLACE);
    for (MessageIdentity other :
        List.of(
            new MessageIdentity("r", "p", PLACE.messageId()),
            new MessageIdentity("q", "r", PLACE.messageId()),
            new MessageIdentity("q", "p", new UUID(1, 3)),
            new MessageIdentity("p", "q", PLACE.messageId()),
            // The same letters, divided otherwise.
            new MessageIdentity("qp", "", PLACE.messageId()),
            new MessageIdentity("", "qp", PLACE.messageId()))) {
      for (boolean anyForm : List.of(true, false)) {
        assertThatExceptionOfType(UnopenablePayloadException.class)
            .as("%s", other)
            .isThrownBy(
                () -> {
                  String opened =
                      anyForm ? cipher.openAnyForm(sealed, other) : cipher.open(sealed, other);
                  assertThat(opened).isNull();
                })
            .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TAMPERED));
      }
    }
  }

  @Test
  void open_readsTheUnboundForm_onlyWhereItMayBe() {
    assertThat(cipher.openAnyForm(UNBOUND, PLACE)).isEqualTo("{\"secret\":\"hi\"}");
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(() -> cipher.open(UNBOUND, PLACE))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNBOUND));
  }

  @Test
  void version_cannotBeTakenAwayNorAdded() {
    JsonObject bound = new JsonObject(cipher.seal("1", PLACE));
    bound.remove("v");
    assertUnopenable(cipher, bound.encode(), Reason.TAMPERED);
    JsonObject raised = new JsonObject(UNBOUND).put("v", "2");
    assertUnopenable(cipher, raised.encode(), Reason.TAMPERED);
    assertUnopenable(cipher, new JsonObject(UNBOUND).put("v", "3").encode(), Reason.MALFORMED);
  }

  @Test
  void isCurrent_meansBoundAndWithThisKey() {
    assertThat(cipher.isCurrent(cipher.seal("1", PLACE))).isTrue();
    assertThat(cipher.isCurrent(cipher(NEW).seal("1", PLACE))).isFalse();
    assertThat(cipher.isCurrent(UNBOUND)).isFalse();
    assertThat(PayloadCipher.withoutKeys().isCurrent(UNBOUND)).isFalse();
  }

  @Test
  void reader_showsThatAPayloadCannotBeRead() {
    ShownPayload shown =
        PayloadReader.with(new Encryption(cipher(OTHER), false))
            .read(cipher.seal("1", PLACE), PayloadForm.BOUND, PLACE);

    assertThat(shown.json()).isEqualTo("null");
    assertThat(shown.problem()).hasValueSatisfying(text -> assertThat(text).contains(OLD.id()));
    assertThat(new ShownPayload.Plain("secret").toString()).doesNotContain("secret");
  }

  private static PayloadCipher cipher(EncryptionKey key) {
    return new PayloadCipher(Optional.of(key), Optional.empty());
  }

  private static void assertUnopenable(PayloadCipher cipher, String stored, Reason reason) {
    assertThatExceptionOfType(UnopenablePayloadException.class)
        .isThrownBy(() -> cipher.openAnyForm(stored, PLACE))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static byte[] bytes(JsonObject stored, String part) {
    return Base64.getDecoder().decode(stored.getString(part));
  }

  private static String with(JsonObject stored, String part, byte[] bytes) {
    return stored.copy().put(part, Base64.getEncoder().encodeToString(bytes)).encode();
  }
}
