package dev.queenmq.testkit.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of the broker. It has the broker's own Vert.x, Netty and Jackson, and sees none
 * of the application's: a test runs against the broker as it was released, whichever versions the
 * application has on its class path.
 *
 * <p>Three things are the application's: the types by which the two talk (this package), SLF4J, so
 * that the broker logs where the application does, and the archive of PostgreSQL for this machine,
 * which a build may add as a dependency.
 */
final class BrokerRealm extends URLClassLoader {
  private static final String INSIDE = "dev.queenmq.testkit.broker.";
  private static final List<String> SHARED =
      List.of("dev.queenmq.testkit.internal.", "org.slf4j.", "org.jspecify.");

  static {
    registerAsParallelCapable();
  }

  private final ClassLoader application;

  BrokerRealm(List<URL> jars, ClassLoader application) {
    super("queen-broker", jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    this.application = application;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (SHARED.stream().anyMatch(name::startsWith)) {
      return application.loadClass(name);
    }
    return name.startsWith(INSIDE) ? define(name) : super.findClass(name);
  }

  /** The testkit's own jar is not among ours: all of its other packages belong to the test. */
  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = application.getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] code = in.readAllBytes();
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public @Nullable URL findResource(String name) {
    boolean ofTheApplication =
        name.startsWith(INSIDE.replace('.', '/'))
            || (name.startsWith("postgres-") && name.endsWith(".txz"));
    return ofTheApplication ? application.getResource(name) : super.findResource(name);
  }
}
