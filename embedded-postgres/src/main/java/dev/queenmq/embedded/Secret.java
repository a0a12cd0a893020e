package dev.queenmq.embedded;

import dev.queenmq.embedded.files.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A generated password in a file that only its owner may read. */
final class Secret {

  private static final int BYTES = 24;

  private Secret() {}

  /** Makes a new one; the file must not exist. */
  static void generate(Path file) throws IOException {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    write(file, HexFormat.of().formatHex(random));
  }

  /** Into a file that only its owner may read, and that must not exist. */
  static void write(Path file, String secret) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, secret + "\n");
    FileTree.sync(file);
  }

  static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }
}
