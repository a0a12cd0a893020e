package dev.queenmq.server.embedded;

import com.sun.security.auth.module.UnixSystem;

/** Who this process is. */
final class CurrentUser {

  private CurrentUser() {}

  static int id() {
    return (int) new UnixSystem().getUid();
  }

  static boolean isRoot() {
    return id() == 0;
  }
}
