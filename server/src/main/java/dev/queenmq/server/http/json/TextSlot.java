package dev.queenmq.server.http.json;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A place for a field that should be a text, filled again for each object of a list. Names that
 * come again are mostly not made again: the messages of a push name one queue and few partitions.
 */
public final class TextSlot {
  private TextField.Kind kind = TextField.Kind.ABSENT;
  private String value = "";
  private final @Nullable RecentTexts recent;

  private TextSlot(@Nullable RecentTexts recent) {
    this.recent = recent;
  }

  /** For texts that often come again. */
  public static TextSlot ofNames() {
    return new TextSlot(new RecentTexts());
  }

  /** For texts that are different each time. */
  public static TextSlot ofIds() {
    return new TextSlot(null);
  }

  /** The next object begins. */
  public void clear() {
    kind = TextField.Kind.ABSENT;
  }

  public void read(JsonInput in) throws IOException {
    if (in.isText()) {
      kind = TextField.Kind.TEXT;
      value = in.text(recent);
    } else {
      set(in.text());
    }
  }

  public void set(TextField field) {
    kind = field.kind();
    value = field.value();
  }

  /** Null is as good as absent. */
  public boolean isAbsent() {
    return kind == TextField.Kind.ABSENT || kind == TextField.Kind.NULL;
  }

  /** The text; a problem if it is none. */
  public String required(String problem) {
    if (kind != TextField.Kind.TEXT) {
      throw HttpProblem.badRequest(problem);
    }
    return value;
  }
}
