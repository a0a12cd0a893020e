package dev.queenmq.server.migration;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SQL file as it was shipped.
 *
 * @param checksum SHA-256 of the text, in hex. Line ends count as one character, so that a checkout
 *     on another system is not a changed file.
 */
record ScriptFile(String name, String sql, String checksum) {

  ScriptFile(String name, String sql) {
    this(name, sql, checksum(sql));
  }

  private static String checksum(String sql) {
    try {
      byte[] text = sql.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
