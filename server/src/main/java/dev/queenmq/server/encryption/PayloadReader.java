package dev.queenmq.server.encryption;

/**
 * Makes stored payloads readable, for whatever lists messages. One that cannot be opened never
 * spoils the list: it is shown as such. Whether a payload is sealed is what the store says, never
 * what it looks like.
 */
@FunctionalInterface
public interface PayloadReader {

  /** What to show for the payload of this message, which is stored in this form. */
  ShownPayload read(String payload, PayloadForm form, MessageIdentity place);

  /** A reader with these keys. */
  static PayloadReader with(Encryption encryption) {
    return (payload, form, place) -> {
      try {
        return new ShownPayload.Plain(encryption.opened(payload, form, place));
      } catch (UnopenablePayloadException e) {
        return new ShownPayload.Unopened(String.valueOf(e.getMessage()));
      }
    };
  }
}
