package dev.queenmq.client.admin.groups;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a group is moved to.
 *
 * @param after behind what was created up to this moment; null for the end
 */
public record SeekTarget(@Nullable Instant after) {

  /**
   * Behind the newest message: nothing of what is there now comes.
   *
   * @return the end
   */
  public static SeekTarget end() {
    return new SeekTarget(null);
  }

  /**
   * Before the oldest message that is stored: all of it comes again.
   *
   * @return the beginning
   */
  public static SeekTarget beginning() {
    return new SeekTarget(Instant.EPOCH);
  }

  /**
   * To the first message that was created after a moment.
   *
   * @param moment by the clock of the database
   * @return that place
   */
  public static SeekTarget after(Instant moment) {
    return new SeekTarget(Objects.requireNonNull(moment, "moment"));
  }
}
