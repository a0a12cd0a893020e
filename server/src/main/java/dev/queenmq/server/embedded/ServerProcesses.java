package dev.queenmq.server.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which running processes are PostgreSQL processes of one cluster. It has to be proved from what
 * the kernel says about a process: the process id alone may long belong to somebody else.
 */
final class ServerProcesses {

  private static final Path PROC = Path.of("/proc");

  private final Path cluster;

  ServerProcesses(Path cluster) {
    this.cluster = cluster;
  }

  /** True when this process is a postmaster that was started on the cluster. */
  boolean isPostmaster(long pid) {
    List<String> words = commandLine(pid);
    return !words.isEmpty()
        && isPostgres(words.get(0))
        && (namesCluster(words) || worksInCluster(pid));
  }

  /** True when nothing can be learned about a live process, not even what it was started as. */
  boolean isUnknown(long pid) {
    return ProcessHandle.of(pid).isPresent() && commandLine(pid).isEmpty();
  }

  /** The postmaster's children that outlived it, and any postmaster. */
  List<ProcessHandle> all() {
    return ProcessHandle.allProcesses()
        .filter(process -> worksInCluster(process.pid()))
        .filter(
            process -> {
              List<String> words = commandLine(process.pid());
              return !words.isEmpty()
                  && (isPostgres(words.get(0)) || words.get(0).startsWith("postgres:"));
            })
        .toList();
  }

  private static boolean isPostgres(String program) {
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.equals("postgres") || name.equals("postmaster");
  }

  private boolean namesCluster(List<String> words) {
    int option = words.indexOf("-D");
    return option > 0 && option + 1 < words.size() && isCluster(Path.of(words.get(option + 1)));
  }

  /** Every PostgreSQL process makes its data directory its working directory. */
  private boolean worksInCluster(long pid) {
    return readLink(PROC.resolve(pid + "/cwd")).filter(this::isCluster).isPresent();
  }

  private boolean isCluster(Path path) {
    try {
      return path.isAbsolute() && path.toRealPath().equals(cluster);
    } catch (IOException e) {
      return false;
    }
  }

  private static List<String> commandLine(long pid) {
    try {
      String line = Files.readString(PROC.resolve(pid + "/cmdline"), StandardCharsets.ISO_8859_1);
      return line.isEmpty() ? List.of() : List.of(line.split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Optional<Path> readLink(Path link) {
    try {
      return Optional.of(Files.readSymbolicLink(link));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
