package dev.queenmq.server.encryption;

import dev.queenmq.server.encryption.UnopenablePayloadException.Reason;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals payloads before they are stored, and opens what was stored, with AES-256-GCM. The current
 * key seals and opens, the previous one only opens. What it seals is bound to its message: queue,
 * partition and message id are authenticated with it, so that it cannot be opened as the payload of
 * another. Safe for any thread: each has a cipher of its own.
 */
public final class PayloadCipher {
  private static final String ALGORITHM = "AES/GCM/NoPadding";

  private final Optional<EncryptionKey> current;
  private final List<EncryptionKey> all;
  private final ThreadLocal<Tools> tools = ThreadLocal.withInitial(Tools::new);

  /** A cipher with the keys that are configured. */
  public PayloadCipher(Optional<EncryptionKey> current, Optional<EncryptionKey> previous) {
    this.current = current;
    all = Stream.of(current, previous).flatMap(Optional::stream).toList();
  }

  /** Of a broker that was given no key: it seals nothing and opens nothing. */
  public static PayloadCipher withoutKeys() {
    return new PayloadCipher(Optional.empty(), Optional.empty());
  }

  /** Whether there is a key to seal with. */
  public boolean canSeal() {
    return current.isPresent();
  }

  /** The id of the key to seal with. */
  public Optional<String> sealingKeyId() {
    return current.map(EncryptionKey::id);
  }

  /**
   * What to store in place of the payload of this message.
   *
   * @throws MissingKeyException if there is no key
   */
  public String seal(String payload, MessageIdentity place) {
    EncryptionKey key = current.orElseThrow(MissingKeyException::new);
    return tools.get().seal(key, payload, place);
  }

  /** Whether a stored payload is as {@link #seal} makes it: bound, and with the current key. */
  public boolean isCurrent(String stored) {
    return current.isPresent() && stored.startsWith(StoredForm.start(current.get().id()));
  }

  /**
   * The payload that was sealed for this message.
   *
   * @throws UnopenablePayloadException if it cannot be had
   */
  public String open(String stored, MessageIdentity place) {
    StoredForm form = StoredForm.read(stored);
    if (!form.isBound()) {
      throw new UnopenablePayloadException(
          Reason.UNBOUND,
          "The stored payload is in the older form, which is not accepted for a message this"
              + " young");
    }
    return open(form, place);
  }

  /**
   * The same, also if it is in the older form, which does not say for what message it was sealed.
   * What is bound is held to it all the same: without the key it cannot be turned into the older
   * form.
   *
   * @throws UnopenablePayloadException if it cannot be had
   */
  public String openAnyForm(String stored, MessageIdentity place) {
    return open(StoredForm.read(stored), place);
  }

  private String open(StoredForm form, MessageIdentity place) {
    byte @Nullable [] bound = form.isBound() ? place.bytes() : null;
    @Nullable String keyId = form.keyId();
    boolean named = false;
    for (EncryptionKey key : all) {
      if (keyId == null || keyId.equals(key.id())) {
        named = keyId != null;
        @Nullable String payload = tools.get().open(key, form, bound);
        if (payload != null) {
          return payload;
        }
      }
    }
    throw named
        ? new UnopenablePayloadException(
            Reason.TAMPERED,
            "The stored payload was changed since key "
                + keyId
                + " sealed it, or was sealed for another message")
        : new UnopenablePayloadException(Reason.UNKNOWN_KEY, unknown(keyId));
  }

  /** The id comes from the database: only one that looks like an id is repeated. */
  private static String unknown(@Nullable String keyId) {
    return keyId != null && keyId.matches("[0-9a-f]{8}")
        ? "The stored payload was sealed with key " + keyId + ", which is not configured"
        : "The stored payload was sealed with a key that is not configured";
  }

  /** What one thread works with. */
  private static final class Tools {
    private final SecureRandom random = new SecureRandom();
    private final byte[] nonce = new byte[StoredForm.NONCE_BYTES];
    private final Cipher cipher = cipher();

    String seal(EncryptionKey key, String payload, MessageIdentity place) {
      random.nextBytes(nonce);
      try {
        cipher.init(Cipher.ENCRYPT_MODE, key.secret(), parameters(nonce));
        cipher.updateAAD(place.bytes());
        return StoredForm.write(
            key.id(), nonce, cipher.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("Cannot seal with AES-GCM", e);
      }
    }

    /** The payload, or null if it was not this key, or the text is not what it sealed. */
    @Nullable String open(EncryptionKey key, StoredForm form, byte @Nullable [] bound) {
      try {
        cipher.init(Cipher.DECRYPT_MODE, key.secret(), parameters(form.nonce()));
        if (bound != null) {
          cipher.updateAAD(bound);
        }
        byte[] ciphertext = form.ciphertext();
        byte[] sealed = new byte[ciphertext.length + StoredForm.TAG_BYTES];
        System.arraycopy(ciphertext, 0, sealed, 0, ciphertext.length);
        System.arraycopy(form.tag(), 0, sealed, ciphertext.length, StoredForm.TAG_BYTES);
        return new String(cipher.doFinal(sealed), StandardCharsets.UTF_8);
      } catch (AEADBadTagException e) {
        return null;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("Cannot open with AES-GCM", e);
      }
    }

    private static GCMParameterSpec parameters(byte[] nonce) {
      return new GCMParameterSpec(8 * StoredForm.TAG_BYTES, nonce);
    }

    private static Cipher cipher() {
      try {
        return Cipher.getInstance(ALGORITHM);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("Every JVM has AES-GCM", e);
      }
    }
  }
}
