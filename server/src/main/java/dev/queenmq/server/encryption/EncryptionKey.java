package dev.queenmq.server.encryption;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of the operator. Its id stands beside what it sealed, so that the right key is found again;
 * the id is derived from the key and reveals nothing about it.
 */
public final class EncryptionKey {
  private static final int BYTES = 32;
  private static final int ID_BYTES = 4;

  private final SecretKey secret;
  private final String id;

  private EncryptionKey(byte[] bytes) {
    secret = new SecretKeySpec(bytes, "AES");
    id = HexFormat.of().formatHex(Arrays.copyOf(sha256(bytes), ID_BYTES));
  }

  /**
   * The key that 64 hexadecimal characters stand for.
   *
   * @throws IllegalArgumentException if they are others, without repeating them
   */
  public static EncryptionKey ofHex(String text) {
    if (text.length() != 2 * BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException("A key has 64 hexadecimal characters");
    }
    return new EncryptionKey(HexFormat.of().parseHex(text));
  }

  /** Eight hexadecimal characters. */
  public String id() {
    return id;
  }

  SecretKey secret() {
    return secret;
  }

  @Override
  public String toString() {
    return "EncryptionKey[" + id + "]";
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }
}
