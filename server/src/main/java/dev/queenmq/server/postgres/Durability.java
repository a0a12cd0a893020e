package dev.queenmq.server.postgres;

import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of PostgreSQL that decide whether a commit survives a crash, as a session of ours
 * finds them: the server, the database or the role may have set them.
 *
 * @param synchronousCommit {@code off} answers before the commit is on the disk; {@code local},
 *     {@code remote_write}, {@code on} and {@code remote_apply} differ only in what they wait for
 *     at standby servers
 */
public record Durability(String fsync, String synchronousCommit, String fullPageWrites) {

  /** For a {@code select}; the rows are for {@link #of}. */
  static final String COLUMNS =
      "current_setting('fsync') as fsync,"
          + " current_setting('synchronous_commit') as synchronous_commit,"
          + " current_setting('full_page_writes') as full_page_writes";

  private static final String OFF = "off";

  static Durability of(Row row) {
    return new Durability(
        row.getString("fsync"),
        row.getString("synchronous_commit"),
        row.getString("full_page_writes"));
  }

  /** Whether what PostgreSQL has committed is on its disk. */
  public boolean isSafe() {
    return !fsync.equals(OFF) && !synchronousCommit.equals(OFF);
  }

  /**
   * Whether a page that was half written when the power went is repaired. It is not without full
   * page writes, unless the file system never writes half a page.
   */
  public boolean repairsTornPages() {
    return !fullPageWrites.equals(OFF);
  }

  /** What is off, as in {@code fsync = off, synchronous_commit = off}; empty if nothing is. */
  public String whatIsOff() {
    List<String> off = new ArrayList<>();
    if (fsync.equals(OFF)) {
      off.add("fsync = off");
    }
    if (synchronousCommit.equals(OFF)) {
      off.add("synchronous_commit = off");
    }
    if (fullPageWrites.equals(OFF)) {
      off.add("full_page_writes = off");
    }
    return String.join(", ", off);
  }
}
