package dev.queenmq.server.http.json;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads UUIDs of a list in which the same one often comes again. */
public final class LastUuid {
  private @Nullable String text;
  private @Nullable UUID value;

  /** The UUID, or null if the text is none. */
  @Nullable
  public UUID parse(String next) {
    if (!next.equals(text)) {
      value = UuidText.parse(next);
      text = next;
    }
    return value;
  }
}
