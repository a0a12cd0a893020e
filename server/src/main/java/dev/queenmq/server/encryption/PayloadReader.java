package dev.queenmq.server.encryption;

/**
 * Makes stored payloads readable, for whatever lists messages. One that cannot be opened never
 * spoils the list: it is shown as such. Whether a payload is sealed is what the store says, never
 * what it looks like.
 */
@FunctionalInterface
public interface PayloadReader {

  /** What to show for a payload that is stored with this flag. */
  ShownPayload read(String payload, boolean encrypted);

  /** With this cipher. */
  static PayloadReader with(PayloadCipher cipher) {
    return (payload, encrypted) -> {
      if (!encrypted) {
        return new ShownPayload.Plain(payload);
      }
      try {
        return new ShownPayload.Plain(cipher.open(payload));
      } catch (UnopenablePayloadException e) {
        return new ShownPayload.Unopened(String.valueOf(e.getMessage()));
      }
    };
  }
}
