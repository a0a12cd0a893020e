package dev.queenmq.testkit.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The jars of the broker, which lie in the jar of the testkit. A class loader needs them as files.
 */
final class BrokerJars {
  private static final String FOLDER = "META-INF/queen-testkit/";
  private static final String INSIDE = "dev/queenmq/testkit/broker/";

  private final ClassLoader application;
  private final Path cache;

  BrokerJars(ClassLoader application, Path cache) {
    this.application = application;
    this.cache = cache;
  }

  /** True in the testkit's jar; false in a folder of classes that no jar was made of yet. */
  boolean exist() {
    return application.getResource(FOLDER + "jars.txt") != null;
  }

  /** Writes those that are not there yet. Safe if several processes do so. */
  List<URL> unpacked() {
    try {
      List<URL> urls = new ArrayList<>();
      for (String name : names()) {
        urls.add(unpacked(name).toUri().toURL());
      }
      return urls;
    } catch (IOException e) {
      throw new UncheckedIOException("The broker cannot be unpacked to " + cache, e);
    }
  }

  /** Of all that decides what an empty database looks like: the broker, and what we add to it. */
  String version() throws IOException {
    StringBuilder content = new StringBuilder();
    for (String name : names()) {
      content.append(name).append(fingerprint(connect(FOLDER + name)));
    }
    for (String name : List.of("PostgresHost.class", "clock.sql", "defaults.sql", "figures.sql")) {
      content.append(name).append(fingerprint(connect(INSIDE + name)));
    }
    return UUID.nameUUIDFromBytes(content.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  private List<String> names() throws IOException {
    try (InputStream list = open(connect(FOLDER + "jars.txt"))) {
      String text = new String(list.readAllBytes(), StandardCharsets.UTF_8).strip();
      return List.of(text.replace("./", "").split(",", -1));
    }
  }

  private Path unpacked(String name) throws IOException {
    URLConnection connection = connect(FOLDER + name);
    Path file = cache.resolve(name.replace(".jar", "-" + fingerprint(connection) + ".jar"));
    if (!Files.exists(file)) {
      Path unfinished = Files.createTempFile(cache, name, ".partial");
      try (InputStream in = open(connection)) {
        Files.copy(in, unfinished, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }

  /** Two builds of the same name have different content: a jar knows its sum. */
  private static String fingerprint(URLConnection connection) throws IOException {
    return connection instanceof JarURLConnection jar
        ? Long.toHexString(jar.getJarEntry().getCrc())
        : connection.getContentLengthLong() + "-" + connection.getLastModified();
  }

  private URLConnection connect(String name) throws IOException {
    URL url = application.getResource(name);
    if (url == null) {
      throw new IOException("The jar of the testkit is not complete: " + name + " is missing");
    }
    URLConnection connection = url.openConnection();
    // The jar may be replaced by the next build, while this JVM runs on.
    connection.setUseCaches(false);
    return connection;
  }

  private static InputStream open(URLConnection connection) throws IOException {
    return connection.getInputStream();
  }
}
