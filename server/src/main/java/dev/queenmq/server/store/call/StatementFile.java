package dev.queenmq.server.store.call;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Plain statements of the store: files under {@code db/statements}, one statement each. */
public final class StatementFile {
  private static final Pattern COMMENT = Pattern.compile("--[^\\n]*");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private StatementFile() {}

  /**
   * The statement as it is sent: on one line, without its comments, behind its name. The driver and
   * PostgreSQL compare the text, and an operator finds the name in {@code pg_stat_activity}.
   */
  public static String read(String name) {
    String path = "/db/statements/" + name + ".sql";
    try (@Nullable InputStream file = StatementFile.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException(path + " is not on the class path");
      }
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      String bare = COMMENT.matcher(text).replaceAll("");
      return "/* queen." + name + " */ " + BLANKS.matcher(bare).replaceAll(" ").strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
