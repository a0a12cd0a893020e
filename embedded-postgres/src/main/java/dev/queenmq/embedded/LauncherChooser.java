package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileTree;
import dev.queenmq.embedded.process.Command;
import dev.queenmq.embedded.process.CurrentUser;
import dev.queenmq.embedded.process.LaunchPlan;
import dev.queenmq.embedded.process.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds, by trying, a way to start PostgreSQL as a user other than root. */
final class LauncherChooser {

  /** Run as PostgreSQL would be; each line is something that it or initdb would trip over. */
  private static final String PROBE =
      """
      [ "$(id -u)" != 0 ] || { echo "the user is still root"; exit 1; }
      id -un >/dev/null 2>&1 || { echo "user $(id -u) has no name in /etc/passwd"; exit 1; }
      [ -x "$1" ] || { echo "user $(id -un) may not run $1"; exit 1; }
      [ -x "$2" ] || { echo "user $(id -un) may not enter $2"; exit 1; }
      """;

  private final Path postgres;
  private final Path folder;

  LauncherChooser(Path postgres, Path folder) {
    this.postgres = postgres;
    this.folder = folder;
  }

  LaunchPlan choose(Optional<Launcher> forced)
      throws EmbeddedPostgresException, IOException, InterruptedException {
    List<String> refusals = new ArrayList<>();
    for (Launcher candidate : forced.isPresent() ? List.of(forced.get()) : candidates()) {
      Optional<String> refusal = refusalOf(candidate);
      if (refusal.isEmpty()) {
        return LaunchPlan.of(candidate);
      }
      refusals.add(candidate + ": " + refusal.get());
    }
    throw nothingWorks(refusals);
  }

  private static List<Launcher> candidates() throws IOException {
    return CurrentUser.isRoot()
        ? List.of(Launcher.USER_NAMESPACE, Launcher.SETPRIV, Launcher.RUNUSER, Launcher.SU)
        // The second is for a user id without a name, as container platforms give them out.
        : List.of(Launcher.DIRECT, Launcher.USER_NAMESPACE);
  }

  private Optional<String> refusalOf(Launcher candidate) throws IOException, InterruptedException {
    if (candidate.changesOwner() && FileTree.owner(folder) == CurrentUser.id()) {
      letOthersPass();
    }
    List<String> words = new ArrayList<>(candidate.prefix());
    words.addAll(List.of("/bin/sh", "-c", PROBE, "sh", postgres.toString(), folder.toString()));
    try {
      Command.Outcome outcome = Command.run(words, Duration.ofSeconds(20));
      return outcome.succeeded() ? Optional.empty() : Optional.of(outcome.output());
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Through, not in: what lies in the folder keeps its own permissions. */
  private void letOthersPass() throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
      Files.setPosixFilePermissions(folder, permissions);
    }
  }

  private static EmbeddedPostgresException nothingWorks(List<String> refusals) {
    return new EmbeddedPostgresException(
        Reason.NO_LAUNCHER,
        """
        PostgreSQL runs neither as root nor as a user without a name, and no way to start it as \
        another user works here:
          %s
        Do one of these: run this process as an ordinary user that is in /etc/passwd; allow user \
        namespaces or install util-linux (unshare, setpriv); put the data folder where the user \
        nobody may reach it; or set PG_HOST to use another PostgreSQL.\
        """
            .formatted(String.join("\n  ", refusals)));
  }
}
