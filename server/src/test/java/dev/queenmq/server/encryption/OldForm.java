package dev.queenmq.server.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/** Seals as versions before this one did: with the name of the key, and bound to no message. */
public final class OldForm {
  private OldForm() {}

  /** What they stored. */
  public static String seal(EncryptionKey key, String payload) {
    byte[] nonce = new byte[12];
    new SecureRandom().nextBytes(nonce);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key.secret(), new GCMParameterSpec(128, nonce));
      byte[] sealed = cipher.doFinal(payload.getBytes(StandardCharsets.UTF_8));
      int length = sealed.length - 16;
      Base64.Encoder base64 = Base64.getEncoder();
      return "{\"encrypted\":\"%s\",\"iv\":\"%s\",\"authTag\":\"%s\",\"keyId\":\"%s\"}"
          .formatted(
              base64.encodeToString(Arrays.copyOf(sealed, length)),
              base64.encodeToString(nonce),
              base64.encodeToString(Arrays.copyOfRange(sealed, length, sealed.length)),
              key.id());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
