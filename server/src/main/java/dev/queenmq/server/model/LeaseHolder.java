package dev.queenmq.server.model;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client that holds the lease on what a pop returned. For operators; the store makes no
 * decision by it.
 *
 * @param address of the client, as limits per address see it
 * @param subject of the client's token
 * @param broker name of the broker that the client asked
 */
public record LeaseHolder(
    Optional<String> address, Optional<String> subject, Optional<String> broker) {

  /** For a caller that is not a client. */
  public static final LeaseHolder UNKNOWN =
      new LeaseHolder(Optional.empty(), Optional.empty(), Optional.empty());

  /** A cursor's row stays small, whatever a token says. */
  private static final int MAX_LENGTH = 255;

  /** As {@code queen.cursors.lease_holder} has it; null if nothing is known. */
  @Nullable
  public String json() {
    JsonObject json = new JsonObject();
    address.ifPresent(text -> json.put("address", bounded(text)));
    subject.ifPresent(text -> json.put("subject", bounded(text)));
    broker.ifPresent(text -> json.put("broker", bounded(text)));
    return json.isEmpty() ? null : json.encode();
  }

  private static String bounded(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, splits ? MAX_LENGTH - 1 : MAX_LENGTH);
  }
}
