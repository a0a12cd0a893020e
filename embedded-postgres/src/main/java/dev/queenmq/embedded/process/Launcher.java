package dev.queenmq.embedded.process;

import java.util.List;

/**
 * How a PostgreSQL program is started, given that it refuses to run as root. The order is the order
 * of preference for a root process.
 */
public enum Launcher {
  /**
   * In a user namespace of its own, without a mapping: inside it runs as {@code nobody}, its files
   * stay ours.
   */
  USER_NAMESPACE,
  /** As user 65534, which then owns the database files. */
  SETPRIV,
  /** As user {@code nobody}; forks, so PostgreSQL is not our direct child. */
  RUNUSER,
  /** As user {@code nobody}, where only {@code su} is at hand; forks as well. */
  SU,
  /** As it is: we are not root. */
  DIRECT;

  public static final int NOBODY = 65534;

  /** The words to put before a command. */
  public List<String> prefix() {
    return switch (this) {
      case USER_NAMESPACE -> List.of("unshare", "-U");
      case SETPRIV ->
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
      case RUNUSER -> List.of("runuser", "-u", "nobody", "--");
      case SU -> List.of("su", "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "nobody", "--");
      case DIRECT -> List.of();
    };
  }

  /** True when the prefix execs, so that the program keeps our process as its parent. */
  public boolean replacesItself() {
    return this != RUNUSER && this != SU;
  }

  /** True when the program runs under another user id than ours, as the file system sees it. */
  public boolean changesOwner() {
    return this == SETPRIV || this == RUNUSER || this == SU;
  }
}
