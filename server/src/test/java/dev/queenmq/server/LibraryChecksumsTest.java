package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every library that the broker and its tests run with is the file that was reviewed. Maven
 * compares a download with the checksum that the same repository offers, and some repositories
 * offer none; this list is kept with the sources.
 */
class LibraryChecksumsTest {
  private static final String LIST = "/library-checksums.txt";

  @Test
  void everyLibraryIsTheOneThatWasReviewed() throws IOException {
    Map<String, String> actual = new TreeMap<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path file = Path.of(entry);
      boolean ours = file.getParent() == null || file.getParent().endsWith("target");
      if (entry.endsWith(".jar") && !ours) {
        actual.put(file.getFileName().toString(), sha256(file));
      }
    }
    Path written = Path.of("target", "library-checksums.txt");
    Files.createDirectories(written.getParent());
    Files.writeString(written, lines(actual));

    assertThat(lines(actual))
        .as("libraries changed: review them, then copy server/%s over the list", written)
        .isEqualTo(lines(reviewed()));
  }

  private static Map<String, String> reviewed() throws IOException {
    try (InputStream list = LibraryChecksumsTest.class.getResourceAsStream(LIST)) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("  ", 2))
          .collect(
              Collectors.toMap(parts -> parts[1], parts -> parts[0], (a, b) -> a, TreeMap::new));
    }
  }

  private static String lines(Map<String, String> checksums) {
    return checksums.entrySet().stream()
        .map(each -> each.getValue() + "  " + each.getKey() + "\n")
        .collect(Collectors.joining());
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
