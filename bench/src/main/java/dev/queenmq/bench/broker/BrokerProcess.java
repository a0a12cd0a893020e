package dev.queenmq.bench.broker;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.embedded.PostgresAddress;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * A broker of a run's own, in a process of its own, with an empty embedded PostgreSQL unless its
 * settings name another. It stops with {@link #close}, or with this JVM. For one thread.
 */
public final class BrokerProcess implements AutoCloseable {
  private static final int HEALTHY = 200;
  private static final String EMBEDDED = "queen";

  private final ChildProcess process;
  private final Path folder;
  private final BrokerUrl url;

  private BrokerProcess(ChildProcess process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    url = new BrokerUrl("127.0.0.1", port, "");
  }

  /**
   * Starts one and waits until it is healthy.
   *
   * @param environment settings of the broker, beside its port and its folder
   */
  public static BrokerProcess start(
      Path jar, Optional<Path> parent, Map<String, String> environment) {
    return startUnhealthy(jar, parent, FreePorts.take(1).get(0), environment).healthy();
  }

  /** The same on this port, which must be free; waits only until it answers. */
  public static BrokerProcess startUnhealthy(
      Path jar, Optional<Path> parent, int port, Map<String, String> environment) {
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(
          "there is no broker at " + jar + ": build it (mvn package -pl server) or give --url");
    }
    TemporaryFolder folder = TemporaryFolder.in(parent);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("HOST", "127.0.0.1");
    settings.put("PORT", Integer.toString(port));
    settings.put("QUEEN_DATA_DIR", folder.path().resolve("data").toString());
    settings.putAll(environment);
    String options = settings.getOrDefault(JavaOptions.VARIABLE, "");
    settings.remove(JavaOptions.VARIABLE);
    List<String> command =
        ChildProcess.java(JavaOptions.of(options, jar), List.of("-jar", jar.toString()));
    return start(folder, port, command, settings);
  }

  /**
   * Starts another program that answers as a broker does: a class of our own class path, with a
   * port and a folder as its first arguments.
   */
  public static BrokerProcess startMain(
      String main, PostgresOptions postgres, List<String> javaOptions) {
    TemporaryFolder folder = TemporaryFolder.in(postgres.parent());
    int port = FreePorts.take(1).get(0);
    List<String> arguments =
        new ArrayList<>(List.of("-cp", System.getProperty("java.class.path"), main));
    arguments.addAll(List.of(Integer.toString(port), folder.path().toString()));
    postgres.binFolder().ifPresent(bin -> arguments.add(bin.toString()));
    return start(folder, port, ChildProcess.java(javaOptions, arguments), Map.of()).healthy();
  }

  private static BrokerProcess start(
      TemporaryFolder folder, int port, List<String> command, Map<String, String> environment) {
    ChildProcess process =
        ChildProcess.start("broker", folder.path(), command, environment).owning(folder);
    return new BrokerProcess(process, folder.path(), port).await(status -> true);
  }

  /**
   * Starts one whose data are in a folder that stays, and returns at once.
   *
   * @param javaOptions all options of its JVM
   */
  public static BrokerProcess launchIn(
      Path folder, Path jar, List<String> javaOptions, Map<String, String> environment) {
    int port = FreePorts.take(1).get(0);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("HOST", "127.0.0.1");
    settings.put("PORT", Integer.toString(port));
    settings.put("QUEEN_DATA_DIR", folder.resolve("data").toString());
    settings.putAll(environment);
    List<String> command = ChildProcess.java(javaOptions, List.of("-jar", jar.toString()));
    return new BrokerProcess(ChildProcess.start("broker", folder, command, settings), folder, port);
  }

  /** The jar that this build makes: beside the class path of the benchmarks. */
  public static Path builtJar() {
    try {
      Path classes =
          Path.of(BrokerProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolve("../../../server/target/queen.jar").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** This, once it is healthy. */
  public BrokerProcess healthy() {
    return await(status -> status == HEALTHY);
  }

  private BrokerProcess await(IntPredicate good) {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/health")).timeout(Duration.ofSeconds(2)).build();
    try {
      return process.await(
          () -> {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            if (!good.test(status)) {
              throw new IllegalStateException("health is " + status);
            }
            return this;
          });
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Where it answers. */
  public BrokerUrl url() {
    return url;
  }

  /** Its own PostgreSQL. */
  public BenchDatabase database(Vertx vertx) {
    return database(vertx, folder.resolve("data"));
  }

  /** The PostgreSQL of the broker with this data folder. */
  public static BenchDatabase database(Vertx vertx, Path dataFolder) {
    try {
      return new BenchDatabase(
          vertx,
          new PostgresAddress(
              "127.0.0.1",
              Integer.parseInt(Files.readString(dataFolder.resolve("postgres.port")).strip()),
              EMBEDDED,
              EMBEDDED,
              Files.readString(dataFolder.resolve("postgres/queen.password")).strip()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its process; PostgreSQL's are below it. */
  public ChildProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
  }
}
