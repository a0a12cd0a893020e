package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Starts a server that follows another one and takes no writes until it is promoted. It is for
 * those who try out a failover: the broker itself runs one embedded server at most.
 *
 * <p>It begins as a copy that {@link Backup} makes, and then streams what the other one commits.
 * Give the other one {@code wal_keep_size}, so that it keeps its log until the copy has started.
 */
public final class Standby {

  private Standby() {}

  /**
   * Copies a running server into a folder that has no database, and starts the copy.
   *
   * @param primary of the server that is copied
   * @param address where that one is
   * @param own of the standby; its user and its password are those of the other one
   * @param name under which the other one knows it, as in {@code synchronous_standby_names}
   */
  public static EmbeddedPostgres start(
      EmbeddedPostgresConfig primary,
      PostgresAddress address,
      EmbeddedPostgresConfig own,
      String name)
      throws EmbeddedPostgresException {
    DataFolder folder = DataFolder.open(own.dataDir());
    Path copy = folder.root().resolve("copy.tar.gz");
    try {
      Backup.run(primary, copy);
      Restore.run(copy, own.dataDir());
      Files.delete(copy);
      Files.createFile(folder.cluster().resolve("standby.signal"));
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED,
          "No standby in %s: %s".formatted(folder.root(), FileFailure.describe(e)),
          e);
    }
    return EmbeddedPostgres.start(own.withSettings(settings(own.settings(), address, name)));
  }

  /** Its own settings, and how it follows the other one. */
  private static Map<String, String> settings(
      Map<String, String> own, PostgresAddress address, String name) {
    Map<String, String> all = new HashMap<>(own);
    all.put("hot_standby", "on");
    all.put(
        "primary_conninfo",
        "host=%s port=%d user=%s password='%s' application_name=%s"
            .formatted(address.host(), address.port(), address.user(), address.password(), name));
    return all;
  }
}
