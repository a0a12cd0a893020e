package dev.queenmq.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Which running processes are PostgreSQL processes of one cluster. It has to be proved from what
 * the kernel says about a process: the process id alone may long belong to somebody else.
 */
final class ServerProcesses {

  private static final Path PROC = Path.of("/proc");

  private final Path cluster;

  ServerProcesses(Path cluster) throws IOException {
    this.cluster = cluster.toRealPath();
  }

  /** True when this process is a postmaster that was started on the cluster. */
  boolean isPostmaster(long pid) throws IOException {
    List<String> words = commandLine(pid);
    return isPostgres(words.get(0)) && (namesCluster(words) || worksInCluster(pid));
  }

  /** Everything that runs on the cluster: a postmaster, and children that outlived theirs. */
  List<ProcessIdentity> all() {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(this::runsOnCluster)
        .flatMap(pid -> ProcessIdentity.of(pid).stream())
        .toList();
  }

  private boolean runsOnCluster(long pid) {
    try {
      String program = commandLine(pid).get(0);
      return (isPostgres(program) || program.startsWith("postgres:")) && worksInCluster(pid);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isPostgres(String program) {
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.equals("postgres") || name.equals("postmaster");
  }

  private boolean namesCluster(List<String> words) {
    int option = words.indexOf("-D");
    return option > 0 && option + 1 < words.size() && isCluster(words.get(option + 1));
  }

  /** Every PostgreSQL process makes its data directory its working directory. */
  private boolean worksInCluster(long pid) {
    try {
      return isCluster(Files.readSymbolicLink(PROC.resolve(pid + "/cwd")).toString());
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isCluster(String name) {
    try {
      return Path.of(name).isAbsolute() && Path.of(name).toRealPath().equals(cluster);
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  /** What a process was started as; one empty word for a process that has no command line. */
  private static List<String> commandLine(long pid) throws IOException {
    byte[] line = Files.readAllBytes(PROC.resolve(pid + "/cmdline"));
    return List.of(new String(line, StandardCharsets.UTF_8).split("\0", -1));
  }
}
