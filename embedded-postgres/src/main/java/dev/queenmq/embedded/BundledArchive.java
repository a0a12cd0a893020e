package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.archive.VerifiedStream;
import dev.queenmq.embedded.archive.XzStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The packed PostgreSQL for this machine, as it lies on the class path: a {@code .txz} as it is
 * published, or a {@code .tar}, which the jar itself compresses. Distributions have that: it is
 * larger, and unpacked faster.
 */
record BundledArchive(URL url, String platform) {
  private static final String TAR = ".tar";
  private static final String XZ = ".txz";

  private static final int BUFFER = 65_536;

  /** Of every archive; known before one is unpacked, so that old data are recognised in time. */
  static final int MAJOR_VERSION = 18;

  static BundledArchive forThisMachine() throws EmbeddedPostgresException {
    return forMachine(
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        Files.exists(Path.of("/etc/alpine-release")));
  }

  static BundledArchive forMachine(String system, String architecture, boolean alpine)
      throws EmbeddedPostgresException {
    if (system.startsWith("Windows")) {
      throw new EmbeddedPostgresException(
          Reason.NO_BINARIES,
          "The embedded PostgreSQL does not run on Windows. Set PG_HOST to use a PostgreSQL that runs, or use WSL.");
    }
    String platform = platform(system, architecture, alpine);
    URL url = find(platform, TAR);
    if (url == null) {
      url = find(platform, XZ);
    }
    if (url == null) {
      throw new EmbeddedPostgresException(
          Reason.NO_BINARIES,
          """
          There is no embedded PostgreSQL for %s in this build. Install PostgreSQL and set \
          QUEEN_PG_BIN to its bin folder%s, or set PG_HOST to use a running one.\
          """
              .formatted(platform, example(platform)));
    }
    return new BundledArchive(url, platform);
  }

  private static @Nullable URL find(String platform, String form) {
    return BundledArchive.class.getResource("/postgres-" + platform + form);
  }

  /** As the archives are named. */
  static String platform(String system, String architecture, boolean alpine) {
    String processor =
        switch (architecture) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> architecture;
        };
    String name = system.startsWith("Mac") ? "darwin" : system.toLowerCase(Locale.ROOT);
    return name + "-" + processor + (alpine ? "-alpine_linux" : "");
  }

  private static String example(String platform) {
    if (platform.startsWith("darwin")) {
      return " (Homebrew: export QUEEN_PG_BIN=\"$(brew --prefix postgresql@18)/bin\")";
    }
    return platform.endsWith("alpine_linux")
        ? " (apk add postgresql18: /usr/libexec/postgresql18)"
        : "";
  }

  /**
   * Identifies a packed version without reading it: the jar's own checksum when it comes from a
   * jar, as it always does but in an IDE.
   */
  String fingerprint() throws IOException {
    URLConnection connection = connect();
    if (connection instanceof JarURLConnection jar) {
      return Long.toHexString(jar.getJarEntry().getCrc());
    }
    return Long.toHexString(connection.getContentLengthLong());
  }

  /** What is in it, as a tar file. If it is damaged, reading fails, at the end at the latest. */
  InputStream open() throws IOException {
    URLConnection connection = connect();
    InputStream in = connection.getInputStream();
    if (url.getPath().endsWith(XZ)) {
      return XzStream.open(in);
    }
    if (connection instanceof JarURLConnection jar) {
      // The sum stands in the jar, but Java does not compare it.
      in = new VerifiedStream(in, jar.getJarEntry().getCrc());
    }
    return new BufferedInputStream(in, BUFFER);
  }

  private URLConnection connect() throws IOException {
    return url.openConnection();
  }
}
