package dev.queenmq.server.encryption;

/**
 * What the operator decided about payloads at rest.
 *
 * @param plainAllowed a broker without a key stores the payloads of encrypted queues as they are,
 *     instead of refusing them
 */
public record Encryption(PayloadCipher cipher, boolean plainAllowed) {

  /** Without keys: encrypted queues take nothing from this broker. */
  public static Encryption none() {
    return new Encryption(PayloadCipher.withoutKeys(), false);
  }

  /** Whether payloads of encrypted queues are stored as they are. */
  public boolean storesPlain() {
    return plainAllowed && !cipher.canSeal();
  }

  /** Whether a queue may be encrypted: its payloads would be sealed, or need not be. */
  public boolean isPossible() {
    return plainAllowed || cipher.canSeal();
  }
}
