package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileTree;
import dev.queenmq.embedded.process.Command;
import dev.queenmq.embedded.process.LaunchPlan;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database files: made once, in one step, and then only opened by the version that made them.
 */
final class Cluster {

  static final String SUPERUSER = "queen";

  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
  private static final Duration INITDB_LIMIT = Duration.ofMinutes(5);
  static final String UNFINISHED = "postgres.new";

  private final DataFolder folder;
  private final PostgresInstallation installation;

  Cluster(DataFolder folder, PostgresInstallation installation) {
    this.folder = folder;
    this.installation = installation;
  }

  boolean exists() {
    return isIn(folder);
  }

  static boolean isIn(DataFolder folder) {
    return Files.exists(folder.cluster());
  }

  /** Fails when the files were made by another major version, which could not read them. */
  void checkVersion() throws EmbeddedPostgresException, IOException {
    check(folder, installation.majorVersion(), installation.bin().toString());
  }

  /**
   * The same before the programs are there.
   *
   * @param major version that is going to be started
   * @param programs where it comes from, for people
   */
  static void check(DataFolder folder, int major, String programs)
      throws EmbeddedPostgresException, IOException {
    if (!Files.isExecutable(folder.cluster())) {
      throw new AccessDeniedException(
          folder.cluster() + ", which belongs to user " + FileTree.owner(folder.cluster()));
    }
    if (!Files.isRegularFile(folder.versionFile())) {
      throw new EmbeddedPostgresException(
          Reason.FOLDER_UNUSABLE,
          """
          %s holds no PostgreSQL database. Move it away, or set QUEEN_DATA_DIR to another folder.\
          """
              .formatted(folder.cluster()));
    }
    String found = Files.readString(folder.versionFile()).strip();
    String ours = Integer.toString(major);
    if (!found.equals(ours)) {
      throw new EmbeddedPostgresException(
          Reason.OTHER_VERSION,
          """
          The database in %s was made by PostgreSQL %s, and this is PostgreSQL %s (%s). Set \
          QUEEN_PG_BIN to the bin folder of a PostgreSQL %s, convert the files with pg_upgrade, \
          or set QUEEN_DATA_DIR to a new folder.\
          """
              .formatted(folder.cluster(), found, ours, programs, found));
    }
    if (!Files.isReadable(folder.passwordFile())) {
      throw new EmbeddedPostgresException(
          Reason.FOLDER_UNUSABLE,
          """
          %s is missing or may not be read. It holds the password of user %s: restore it from a \
          backup.\
          """
              .formatted(folder.passwordFile(), SUPERUSER));
    }
  }

  /**
   * Creates the files beside their place and moves them there when they are complete, together with
   * their password: a run that is killed meanwhile leaves nothing that looks like a database.
   *
   * @param durable whether to wait for the disk
   */
  void create(LaunchPlan plan, boolean durable)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    removeUnfinished();
    LOG.info(
        "Creating a PostgreSQL {} database in {}", installation.majorVersion(), folder.cluster());
    Path home = Files.createTempDirectory(folder.root(), UNFINISHED);
    Path cluster = home.resolve("cluster");
    Path password = home.resolve("password");
    Path verifier = home.resolve("verifier");
    try {
      Secret.generate(password);
      Secret.write(verifier, ScramVerifier.of(Secret.read(password)));
      plan.handOver(home);
      initdb(plan, cluster, verifier, durable);
      Files.move(password, cluster.resolve(folder.passwordFile().getFileName()));
      FileTree.sync(cluster);
      Files.move(cluster, folder.cluster(), StandardCopyOption.ATOMIC_MOVE);
      FileTree.sync(folder.root());
    } finally {
      FileTree.delete(home);
    }
  }

  private void initdb(LaunchPlan plan, Path cluster, Path verifier, boolean durable)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    List<String> program =
        new ArrayList<>(
            List.of(
                installation.initdb().toString(),
                "--pgdata=" + cluster,
                "--username=" + SUPERUSER,
                "--pwfile=" + verifier,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--data-checksums",
                "--no-instructions"));
    if (!durable) {
      program.add("--no-sync");
    }
    Command.Outcome outcome = Command.run(plan.command("KILL", program), INITDB_LIMIT);
    if (!outcome.succeeded()) {
      throw new EmbeddedPostgresException(
          Reason.START_FAILED,
          "PostgreSQL could not create a database in " + folder.root() + ":\n" + outcome.output());
    }
  }

  private void removeUnfinished() throws IOException {
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(folder.root(), UNFINISHED + "*")) {
      for (Path leftover : leftovers) {
        FileTree.delete(leftover);
      }
    }
  }

  /** Replaces a small file of the cluster in one step, readable for PostgreSQL's user only. */
  void write(String name, String content, LaunchPlan plan) throws IOException {
    Path fresh = folder.cluster().resolve(name + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, content);
    plan.handOver(fresh);
    Files.move(fresh, folder.cluster().resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
