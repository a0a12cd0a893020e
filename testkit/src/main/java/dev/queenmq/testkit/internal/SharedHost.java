package dev.queenmq.testkit.internal;

import dev.queenmq.client.QueenClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one PostgreSQL of this process. It starts with the first broker and ends with the JVM: to
 * start it takes ten times as long as to start a broker on it.
 *
 * <p>The state is the process's own, as its child process and the hook that ends it are, so that a
 * static field holds it.
 */
public final class SharedHost {
  private static final SharedHost INSTANCE = new SharedHost();
  private static final String ENTRY = "dev.queenmq.testkit.broker.PostgresHost";

  private @Nullable BrokerHost host;
  private @Nullable RuntimeException failure;

  private SharedHost() {}

  /** Starts it if this is the first call. */
  public static BrokerHost get() {
    return INSTANCE.started();
  }

  private synchronized BrokerHost started() {
    if (failure != null) {
      // A thousand tests shall not try it one after the other.
      throw new IllegalStateException(failure.getMessage(), failure);
    }
    if (host == null) {
      try {
        host = start();
      } catch (RuntimeException e) {
        failure = e;
        throw e;
      }
    }
    return host;
  }

  private static BrokerHost start() {
    Thread client = new Thread(SharedHost::loadClient, "queen-testkit-client");
    client.setDaemon(true);
    client.start();
    try {
      HostFolders folders = HostFolders.in(HostFolders.usualRoot());
      ClassLoader application = SharedHost.class.getClassLoader();
      BrokerJars jars = new BrokerJars(application, folders.jars());
      ClassLoader loader =
          jars.exist() ? new BrokerRealm(jars.unpacked(), application) : application;
      BrokerHost started = start(loader, options(folders, jars));
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> end(started, folders), "queen-testkit"));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every broker gets a client, and to load its classes takes as long as PostgreSQL's start. */
  private static void loadClient() {
    QueenClient.connect("http://127.0.0.1").close();
  }

  private static HostOptions options(HostFolders folders, BrokerJars jars) throws IOException {
    String given = System.getProperty("queen.testkit.postgres", "");
    Optional<Path> bin = given.isEmpty() ? Optional.empty() : Optional.of(Path.of(given));
    Optional<Path> kept =
        bin.isEmpty() && jars.exist()
            ? Optional.of(folders.cluster(jars.version()))
            : Optional.empty();
    return new HostOptions(folders.run(), folders.binaries(), bin, kept);
  }

  private static BrokerHost start(ClassLoader loader, HostOptions options) {
    try {
      return Class.forName(ENTRY, true, loader)
          .asSubclass(BrokerHost.class)
          .getConstructor(HostOptions.class)
          .newInstance(options);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "The broker is not in the testkit. Use its jar: in a build of all modules, at least the phase package.",
          e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void end(BrokerHost started, HostFolders folders) {
    try {
      started.close();
      folders.removeRun();
    } catch (IOException e) {
      // The next process that uses the testkit removes it.
      throw new UncheckedIOException(e);
    }
  }
}
