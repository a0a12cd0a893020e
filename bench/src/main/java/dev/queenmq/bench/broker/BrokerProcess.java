package dev.queenmq.bench.broker;

import dev.queenmq.bench.Bench;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * A broker of a run's own, in a process of its own, with an empty embedded PostgreSQL unless its
 * settings name another. It stops with {@link #close}, or with this JVM. For one thread.
 */
public final class BrokerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration GLANCE = Duration.ofMillis(50);
  private static final int TAIL_LINES = 20;
  private static final int HEALTHY = 200;
  private static final Set<String> KEPT = Set.of("PATH", "HOME", "TMPDIR", "LANG", "JAVA_HOME");

  private final Process process;
  private final TemporaryFolder folder;
  private final BrokerUrl url;
  private final Thread atExit = new Thread(this::release, "broker-exit");

  private BrokerProcess(Process process, TemporaryFolder folder, BrokerUrl url) {
    this.process = process;
    this.folder = folder;
    this.url = url;
  }

  /**
   * Starts one and waits until it is healthy.
   *
   * @param environment settings of the broker, beside its port and its folder
   */
  public static BrokerProcess start(
      Path jar, Optional<Path> parent, Map<String, String> environment) {
    return start(jar, parent, freePort(), environment);
  }

  /** The same on this port, which must be free. */
  public static BrokerProcess start(
      Path jar, Optional<Path> parent, int port, Map<String, String> environment) {
    return start(jar, parent, port, environment, status -> status == HEALTHY);
  }

  /** The same, but waits only until it answers: it may be without its PostgreSQL. */
  public static BrokerProcess startUnhealthy(
      Path jar, Optional<Path> parent, int port, Map<String, String> environment) {
    return start(jar, parent, port, environment, status -> true);
  }

  private static BrokerProcess start(
      Path jar,
      Optional<Path> parent,
      int port,
      Map<String, String> environment,
      IntPredicate health) {
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(
          "there is no broker at " + jar + ": build it (mvn package -pl server) or give --url");
    }
    return start(parent, port, health, folder -> launch(jar, folder, port, environment));
  }

  /**
   * Starts another program that answers as a broker does: a class of our own class path, with a
   * port and a folder as its first arguments.
   */
  public static BrokerProcess startMain(
      String main, Optional<Path> parent, List<String> javaOptions, List<String> arguments) {
    int port = freePort();
    return start(
        parent,
        port,
        status -> status == HEALTHY,
        folder -> {
          List<String> command = new ArrayList<>();
          command.add(java());
          command.addAll(javaOptions);
          command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
          command.addAll(List.of(Integer.toString(port), folder.toString()));
          command.addAll(arguments);
          ProcessBuilder builder =
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(output(folder).toFile());
          builder.environment().put("MALLOC_ARENA_MAX", "2");
          return builder.start();
        });
  }

  /** Starts the program on a folder. */
  private interface Launch {
    Process in(Path folder) throws IOException;
  }

  private static BrokerProcess start(
      Optional<Path> parent, int port, IntPredicate health, Launch launch) {
    TemporaryFolder folder = TemporaryFolder.in(parent);
    BrokerProcess broker;
    try {
      Process process = launch.in(folder.path());
      broker = new BrokerProcess(process, folder, new BrokerUrl("127.0.0.1", port, ""));
    } catch (IOException e) {
      folder.close();
      throw new UncheckedIOException(e);
    }
    boolean healthy = false;
    try {
      // Refused when the end of this JVM has begun; then the broker must go at once.
      Runtime.getRuntime().addShutdownHook(broker.atExit);
      broker.awaitHealth(health);
      healthy = true;
      return broker;
    } finally {
      if (!healthy) {
        broker.close();
      }
    }
  }

  /** The jar that this build makes: beside the class path of the benchmarks. */
  public static Path builtJar() {
    try {
      Path classes =
          Path.of(Bench.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolve("../../../server/target/queen.jar").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Process launch(Path jar, Path folder, int port, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(JavaOptions.of(environment.getOrDefault(JavaOptions.VARIABLE, "")));
    // Tests of the server leave an archive of loaded classes beside the jar: it starts faster.
    Path archive = jar.resolveSibling("queen.jsa");
    if (Files.exists(archive)
        && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) >= 0) {
      command.add("-XX:SharedArchiveFile=" + archive);
    }
    command.add("-jar");
    command.add(jar.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output(folder).toFile());
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.environment().put("HOST", "127.0.0.1");
    builder.environment().put("PORT", Integer.toString(port));
    builder.environment().put("QUEEN_DATA_DIR", folder.resolve("data").toString());
    builder.environment().putAll(environment);
    builder.environment().remove(JavaOptions.VARIABLE);
    return builder.start();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path output(Path folder) {
    return folder.resolve("output.txt");
  }

  /** Waits until it is healthy. */
  public void awaitHealth() {
    awaitHealth(status -> status == HEALTHY);
  }

  private void awaitHealth(IntPredicate health) {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/health")).timeout(Duration.ofSeconds(2)).build();
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        if (health.test(client.send(request, BodyHandlers.discarding()).statusCode())) {
          return;
        }
        TimeUnit.NANOSECONDS.sleep(GLANCE.toNanos());
      } catch (IOException e) {
        Blocking.sleep(GLANCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
    throw new IllegalStateException("the broker did not start:\n" + tail());
  }

  /** Where it answers. */
  public BrokerUrl url() {
    return url;
  }

  /** Where it keeps its PostgreSQL, and how to log in there. */
  public Path dataFolder() {
    return folder.path().resolve("data");
  }

  /** Its process; PostgreSQL's are below it. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it as kill -9 does, and waits until it is gone. */
  public void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Asks it to stop (SIGTERM) and waits until it is gone; its exit code, or empty if it stayed. */
  public OptionalInt stop() {
    process.destroy();
    try {
      return process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          ? OptionalInt.of(process.exitValue())
          : OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The last lines that it printed. */
  public String tail() {
    try {
      List<String> lines = Files.readAllLines(output(folder.path()));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(no output: " + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is on its way down, and the hook finds nothing left to do.
    }
  }

  private void release() {
    List<ProcessHandle> below = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        below.forEach(ProcessHandle::destroyForcibly);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      below.forEach(ProcessHandle::destroyForcibly);
    }
    folder.close();
  }
}
