package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.Locale;

/** The packed PostgreSQL for this machine, as it lies on the class path. */
record BundledArchive(URL url, String platform) {

  /** Of every archive; known before one is unpacked, so that old data are recognised in time. */
  static final int MAJOR_VERSION = 18;

  static BundledArchive forThisMachine() throws EmbeddedPostgresException {
    return forMachine(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static BundledArchive forMachine(String system, String architecture)
      throws EmbeddedPostgresException {
    String platform =
        system.toLowerCase(Locale.ROOT)
            + "-"
            + switch (architecture) {
              case "amd64", "x86_64" -> "x86_64";
              case "aarch64", "arm64" -> "arm_64";
              default -> architecture;
            };
    URL url = BundledArchive.class.getResource("/postgres-" + platform + ".txz");
    if (url == null) {
      throw new EmbeddedPostgresException(
          Reason.NO_BINARIES,
          """
          There is no embedded PostgreSQL for %s. Install PostgreSQL and set QUEEN_PG_BIN to its \
          bin folder, or set PG_HOST to use a running one.\
          """
              .formatted(platform));
    }
    return new BundledArchive(url, platform);
  }

  /**
   * Tells two packed versions apart without reading them: the jar's own checksum when it comes from
   * a jar, as it always does but in an IDE.
   */
  String fingerprint() throws IOException {
    URLConnection connection = connect();
    if (connection instanceof JarURLConnection jar) {
      return Long.toHexString(jar.getJarEntry().getCrc());
    }
    return Long.toHexString(connection.getContentLengthLong());
  }

  InputStream open() throws IOException {
    return connect().getInputStream();
  }

  private URLConnection connect() throws IOException {
    return url.openConnection();
  }
}
