package dev.queenmq.embedded;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Other versions of PostgreSQL, which the build puts beside the class path for tests. */
public final class PackedPostgres {

  private PackedPostgres() {}

  /**
   * The {@code bin} folder of a version, unpacked now if it was not before.
   *
   * @param name as in {@code target/postgres-versions}
   */
  public static Path bin(String name) {
    Path jar = Path.of("target/postgres-versions", name + ".jar").toAbsolutePath();
    if (!Files.exists(jar)) {
      throw new IllegalStateException(
          jar + " is absent: run 'mvn pre-integration-test -pl server-it -am -DskipTests' once");
    }
    try {
      String platform = BundledArchive.forThisMachine().platform();
      URI archive = URI.create("jar:" + jar.toUri() + "!/postgres-" + platform + ".txz");
      return new BinariesCache(SharedBinaries.FOLDER)
          .unpacked(new BundledArchive(archive.toURL(), platform));
    } catch (IOException | InterruptedException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }
}
