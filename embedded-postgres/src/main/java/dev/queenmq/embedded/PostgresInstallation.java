package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The programs of one PostgreSQL, known to run on this machine. */
record PostgresInstallation(Path bin, int majorVersion) {

  private static final Pattern VERSION = Pattern.compile("PostgreSQL\\) (\\d+)");
  private static final int OLDEST = 14;

  static PostgresInstallation at(Path given)
      throws EmbeddedPostgresException, InterruptedException {
    Path bin = given.toAbsolutePath().normalize();
    for (String program : List.of("postgres", "initdb")) {
      if (!Files.isExecutable(bin.resolve(program))) {
        throw unusable(bin, "it holds no program named " + program);
      }
    }
    int major = majorVersion(bin);
    if (major < OLDEST) {
      throw unusable(bin, "it is version " + major + ", and " + OLDEST + " or newer is needed");
    }
    return new PostgresInstallation(bin, major);
  }

  Path postgres() {
    return bin.resolve("postgres");
  }

  Path initdb() {
    return bin.resolve("initdb");
  }

  private static int majorVersion(Path bin) throws EmbeddedPostgresException, InterruptedException {
    String answer;
    try {
      answer =
          Command.run(
                  List.of(bin.resolve("postgres").toString(), "--version"), Duration.ofSeconds(30))
              .output();
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          Reason.NO_BINARIES, "PostgreSQL in " + bin + " does not run: " + e.getMessage(), e);
    }
    Matcher matcher = VERSION.matcher(answer);
    if (!matcher.find()) {
      throw unusable(bin, "its postgres does not say which version it is, but: " + answer);
    }
    return Integer.parseInt(matcher.group(1));
  }

  private static EmbeddedPostgresException unusable(Path bin, String why) {
    return new EmbeddedPostgresException(
        Reason.NO_BINARIES,
        """
        The folder %s is no PostgreSQL to start: %s. QUEEN_PG_BIN must name the bin folder of an \
        installation, or be left out.\
        """
            .formatted(bin, why));
  }
}
