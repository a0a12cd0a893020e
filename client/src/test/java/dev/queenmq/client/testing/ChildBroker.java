package dev.queenmq.client.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A broker in a JVM of its own, to be killed. */
public final class ChildBroker implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("Listening on http://[^:]+:(\\d+)");

  private final Process process;
  private final int port;

  private ChildBroker(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one, and waits until it listens. */
  public static ChildBroker start(Map<String, String> environment) throws IOException {
    Path output = Files.createTempFile(Path.of("target").toAbsolutePath(), "broker-", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    "dev.queenmq.server.Main"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> !process.isAlive() || LISTENING.matcher(Files.readString(output)).find());
      Matcher matcher = LISTENING.matcher(Files.readString(output));
      if (!matcher.find()) {
        throw new IllegalStateException(Files.readString(output));
      }
      return new ChildBroker(process, Integer.parseInt(matcher.group(1)));
    } catch (RuntimeException | IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** Ends it as kill -9 does, and waits for that. */
  @Override
  public void close() {
    process.destroyForcibly();
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive());
  }
}
