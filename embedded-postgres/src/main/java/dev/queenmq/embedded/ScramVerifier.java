package dev.queenmq.embedded;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What PostgreSQL keeps of a password (RFC 5802 and 7677), with one iteration of the hash instead
 * of PostgreSQL's 4,096. Iterations protect passwords that people choose against guessing. A
 * generated password of 192 bits cannot be guessed, and the client computes the iterations for each
 * connection: at the start, before its code is compiled, that took longer than all the rest of it.
 */
final class ScramVerifier {
  private static final int SALT_BYTES = 16;

  private ScramVerifier() {}

  /** Of a password of ASCII characters, with a salt of its own, as {@code pg_authid} has it. */
  static String of(String password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return of(password, salt);
  }

  static String of(String password, byte[] salt) {
    try {
      byte[] salted = firstIteration(password.getBytes(StandardCharsets.US_ASCII), salt);
      byte[] clientKey = hmac(salted).doFinal("Client Key".getBytes(StandardCharsets.US_ASCII));
      byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(clientKey);
      byte[] serverKey = hmac(salted).doFinal("Server Key".getBytes(StandardCharsets.US_ASCII));
      Base64.Encoder base64 = Base64.getEncoder();
      return "SCRAM-SHA-256$1:%s$%s:%s"
          .formatted(
              base64.encodeToString(salt),
              base64.encodeToString(storedKey),
              base64.encodeToString(serverKey));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** PBKDF2 with a count of one: the salt and the number of the block. */
  private static byte[] firstIteration(byte[] password, byte[] salt)
      throws GeneralSecurityException {
    Mac mac = hmac(password);
    mac.update(salt);
    return mac.doFinal(new byte[] {0, 0, 0, 1});
  }

  private static Mac hmac(byte[] key) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac;
  }
}
