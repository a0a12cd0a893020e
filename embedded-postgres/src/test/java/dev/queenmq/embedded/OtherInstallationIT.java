package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** QUEEN_PG_BIN: an installed PostgreSQL, run as the embedded one. */
class OtherInstallationIT {

  private static final Path PACKAGED = Path.of("/usr/lib/postgresql");

  @TempDir Path folder;

  @Test
  void start_usesOtherInstallation_andRefusesItsFilesLater() throws Exception {
    Optional<Path> bin = packagedBin();
    assumeTrue(bin.isPresent(), "no packaged PostgreSQL on this machine");
    EmbeddedPostgresConfig config = TestFolders.config(folder);
    String major = "" + PostgresInstallation.at(bin.get()).majorVersion();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config.withBinDir(bin))) {
      assertThat(postgres.version()).startsWith(major + ".").doesNotContain(" ");
      assertThat(TestSql.ask(postgres, "SHOW data_checksums")).isEqualTo("on");
    }
    assumeTrue(!major.equals("18"));
    assertThatThrownBy(() -> EmbeddedPostgres.start(config))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_VERSION))
        .hasMessageContaining("made by PostgreSQL " + major)
        .hasMessageContaining("this is PostgreSQL 18");
  }

  /** Debian's layout, one folder for each major version; ours needs 14 or newer. */
  private static Optional<Path> packagedBin() throws IOException {
    if (!Files.isDirectory(PACKAGED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(PACKAGED)) {
      return versions
          .filter(version -> ("" + version.getFileName()).matches("1[4-9]"))
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .findAny();
    }
  }

  @Test
  void start_givesClearError_whenThereIsNoPostgres() {
    EmbeddedPostgresConfig config = TestFolders.config(folder).withBinDir(Optional.of(folder));
    assertThatThrownBy(() -> EmbeddedPostgres.start(config))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NO_BINARIES))
        .hasMessageContaining("no program named postgres")
        .hasMessageContaining("QUEEN_PG_BIN");
  }
}
