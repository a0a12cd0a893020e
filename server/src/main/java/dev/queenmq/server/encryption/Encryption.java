package dev.queenmq.server.encryption;

/**
 * What the operator decided about payloads at rest.
 *
 * @param plainAllowed a broker without a key stores the payloads of encrypted queues as they are,
 *     instead of refusing them; and plain payloads are delivered whenever they were stored
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

  /**
   * The payload of a message, as it was pushed.
   *
   * @param stored as it is in the store
   * @throws UnopenablePayloadException if it cannot be had, or may not be trusted
   */
  public String opened(String stored, PayloadForm form, MessageIdentity place) {
    return switch (form) {
      case PLAIN -> stored;
      case EXPOSED -> {
        if (!plainAllowed) {
          throw UnopenablePayloadException.exposed();
        }
        yield stored;
      }
      case SEALED -> cipher.openAnyForm(stored, place);
      case BOUND -> cipher.open(stored, place);
    };
  }

  /** Whether a queue may be encrypted: its payloads would be sealed, or need not be. */
  public boolean isPossible() {
    return plainAllowed || cipher.canSeal();
  }
}
