package dev.queenmq.embedded.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which running processes are PostgreSQL processes of one cluster. It has to be proved from what
 * the kernel says about a process: the process id alone may by now belong to another process.
 *
 * <p>Linux shows the command line and the working directory. Elsewhere the JDK knows the command
 * line of our own processes, which shows a postmaster but not its children: if they outlive it,
 * they end by themselves.
 */
public final class ServerProcesses {

  private static final Path PROC = Path.of("/proc");

  private final Path cluster;
  private final Path proc;

  public ServerProcesses(Path cluster) throws IOException {
    this(cluster, PROC);
  }

  /**
   * Processes of a cluster.
   *
   * @param proc where Linux shows processes; need not exist
   */
  ServerProcesses(Path cluster, Path proc) throws IOException {
    this.cluster = cluster.toRealPath();
    this.proc = proc;
  }

  /** True when this process is a postmaster that was started on the cluster. */
  public boolean isPostmaster(long pid) throws IOException {
    List<String> words = commandLine(pid);
    return isPostgres(words.get(0)) && (namesCluster(words) || worksInCluster(pid));
  }

  /** Everything that runs on the cluster: a postmaster, and children that outlived theirs. */
  public List<ProcessIdentity> all() {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(this::runsOnCluster)
        .flatMap(pid -> ProcessIdentity.of(pid).stream())
        .toList();
  }

  private boolean runsOnCluster(long pid) {
    try {
      List<String> words = commandLine(pid);
      String program = words.get(0);
      return Files.isDirectory(proc)
          ? (isPostgres(program) || program.startsWith("postgres:")) && worksInCluster(pid)
          : isPostgres(program) && namesCluster(words);
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
      return isCluster(Files.readSymbolicLink(proc.resolve(pid + "/cwd")).toString());
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
  private List<String> commandLine(long pid) throws IOException {
    if (!Files.isDirectory(proc)) {
      return commandLine(ProcessHandle.of(pid).map(ProcessHandle::info));
    }
    byte[] line = Files.readAllBytes(proc.resolve(pid + "/cmdline"));
    return List.of(new String(line, StandardCharsets.UTF_8).split("\0", -1));
  }

  private static List<String> commandLine(Optional<ProcessHandle.Info> process) {
    List<String> words = new ArrayList<>();
    words.add(process.flatMap(ProcessHandle.Info::command).orElse(""));
    process.flatMap(ProcessHandle.Info::arguments).ifPresent(more -> words.addAll(List.of(more)));
    return words;
  }
}
