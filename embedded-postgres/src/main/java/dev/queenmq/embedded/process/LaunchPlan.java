package dev.queenmq.embedded.process;

import dev.queenmq.embedded.files.FileTree;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The chosen way of starting PostgreSQL's programs.
 *
 * @param launcher how root is given up
 * @param ownSession true when {@code setsid} is at hand, which keeps a Ctrl-C in our terminal from
 *     stopping PostgreSQL before we are done with it
 * @param diesWithUs true when {@code setpriv --pdeathsig} is at hand
 */
public record LaunchPlan(Launcher launcher, boolean ownSession, boolean diesWithUs) {

  private static final Duration PROBE_LIMIT = Duration.ofSeconds(20);

  public static LaunchPlan of(Launcher launcher) throws InterruptedException {
    return new LaunchPlan(
        launcher,
        works(List.of("setsid", "true")),
        launcher.replacesItself() && works(List.of("setpriv", "--pdeathsig", "INT", "true")));
  }

  /**
   * The whole command line.
   *
   * @param deathSignal what the program gets when the thread that started it ends: a killed JVM
   *     takes its PostgreSQL along. The kernel looks at the thread, not at the process, so the
   *     starting thread has to stay.
   */
  public List<String> command(String deathSignal, List<String> program) {
    List<String> words = new ArrayList<>();
    if (ownSession) {
      words.add("setsid");
    }
    words.addAll(launcher.prefix());
    if (diesWithUs) {
      // After the change of user: the kernel forgets the death signal when credentials change.
      words.addAll(List.of("setpriv", "--pdeathsig", deathSignal));
    }
    words.addAll(program);
    return words;
  }

  /** Gives files to the user that PostgreSQL will run as, when they are not that user's yet. */
  public void handOver(Path path) throws IOException {
    int user = launcher.changesOwner() ? Launcher.NOBODY : CurrentUser.id();
    int owner = FileTree.owner(path);
    if (owner == user) {
      return;
    }
    if (!CurrentUser.isRoot()) {
      throw new FileSystemException(
          path.toString(), null, "it belongs to user " + owner + ", and we are user " + user);
    }
    FileTree.chown(path, user);
  }

  private static boolean works(List<String> words) throws InterruptedException {
    try {
      return Command.run(words, PROBE_LIMIT).succeeded();
    } catch (IOException e) {
      return false;
    }
  }
}
