package dev.queenmq.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a consumer group starts at its first contact with a queue. Later contacts go on where the
 * group is, whatever they say.
 */
public final class StartAt {
  private final @Nullable String mode;
  private final @Nullable String from;

  private StartAt(@Nullable String mode, @Nullable String from) {
    this.mode = mode;
    this.from = from;
  }

  /**
   * At the oldest message that is stored.
   *
   * @return the start
   */
  public static StartAt oldest() {
    return new StartAt("all", null);
  }

  /**
   * With what is pushed from now on.
   *
   * @return the start
   */
  public static StartAt now() {
    return new StartAt("new", null);
  }

  /**
   * After a moment.
   *
   * @param moment messages after it are delivered
   * @return the start
   */
  public static StartAt after(Instant moment) {
    return new StartAt(null, moment.toString());
  }

  @Nullable String mode() {
    return mode;
  }

  @Nullable String from() {
    return from;
  }
}
