package dev.queenmq.server;

import static org.awaitility.Awaitility.await;

import dev.queenmq.server.testing.ChildBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker in a process of its own, as an operator starts it. */
public final class ServerProcess implements AutoCloseable {

  private static final Pattern LISTENING =
      Pattern.compile("Listening on https?://127.0.0.1:(\\d+), started in \\d+ ms");
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Process process;
  private final Path output;

  private ServerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts one on a free port, with only these variables. */
  public static ServerProcess start(Path folder, Map<String, String> environment, String... flags)
      throws IOException {
    boolean chosen = environment.getOrDefault("JAVA_TOOL_OPTIONS", "").contains("logback");
    return start(
        folder,
        chosen ? List.of() : List.of("-Dlogback.configurationFile=logback-child.xml"),
        environment,
        List.of(flags));
  }

  /** The same with its real logging configuration. */
  public static ServerProcess startLogging(
      Path folder, Map<String, String> environment, String... flags) throws IOException {
    return start(folder, List.of(), environment, List.of(flags));
  }

  private static ServerProcess start(
      Path folder, List<String> options, Map<String, String> environment, List<String> flags)
      throws IOException {
    List<String> command = new ArrayList<>();
    // The process that started the tests may ignore SIGINT, and a child inherits that.
    command.addAll(List.of("env", "--default-signal=INT"));
    command.addAll(ChildBroker.command(options));
    command.addAll(flags);
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().put("HOST", "127.0.0.1");
    builder.environment().put("PORT", "0");
    // What tests share is fast, not safe.
    builder.environment().put("QUEEN_ALLOW_UNSAFE_POSTGRES", "true");
    // Nor does a busy machine mean that PostgreSQL is away, and pushes go to the spool.
    builder.environment().put("DB_CONNECTION_TIMEOUT", "60000");
    builder.environment().put("QUEEN_SPOOL_DEADLINE_MS", "60000");
    if (!environment.containsKey("QUEEN_DATA_DIR")) {
      builder
          .environment()
          .put("QUEEN_SPOOL_DIR", Files.createTempDirectory(folder, "spool").toString());
    }
    builder.environment().putAll(environment);
    return new ServerProcess(builder.start(), output);
  }

  /** Waits until it listens; the port. */
  public int port() {
    await().atMost(LIMIT).until(() -> !process.isAlive() || LISTENING.matcher(output()).find());
    Matcher line = LISTENING.matcher(output());
    if (!line.find()) {
      throw new AssertionError("the server did not start: " + output());
    }
    return Integer.parseInt(line.group(1));
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Its health, once it has reached PostgreSQL: on a busy machine it may listen before. */
  public HttpResponse<String> healthy() {
    return await().atMost(LIMIT).until(() -> get("/health"), each -> each.statusCode() == 200);
  }

  public void waitFor(String text) {
    await().atMost(LIMIT).until(() -> output().contains(text));
  }

  public void signal(String name) throws IOException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().onExit().join();
  }

  /** Waits for its end. */
  public int exitCode() {
    return process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join().exitValue();
  }

  /** All that it said so far. */
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  public List<ProcessHandle> children() {
    return process.descendants().toList();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
