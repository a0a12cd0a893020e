package dev.queenmq.server.migration;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A function in the database. Its name carries the version of its signature and meaning ({@code
 * push_v1}), so that two releases can live side by side; its revision counts the changes to its
 * body.
 */
record Procedure(String name, int revision, ScriptFile file) {

  private static final Pattern FILE = Pattern.compile("([a-z0-9_]+_v\\d+)\\.sql");
  private static final Pattern CALL = Pattern.compile("queen\\.([a-z0-9_]+_v\\d+)\\(");
  private static final Pattern REVISION =
      Pattern.compile("^-- revision: (\\d{1,9})[ \\t\\r]*$", Pattern.MULTILINE);

  static Procedure of(ScriptFile file) {
    Matcher name = FILE.matcher(file.name());
    if (!name.matches()) {
      throw new MigrationException(
          "procedure file " + file.name() + " is not named after its function, like push_v1.sql");
    }
    Matcher revision = REVISION.matcher(headOf(file.sql()));
    if (!revision.find()) {
      throw new MigrationException(
          "procedure file " + file.name() + " does not begin with a line like '-- revision: 1'");
    }
    return new Procedure(name.group(1), Integer.parseInt(revision.group(1)), file);
  }

  /** The names of the functions that its text calls, itself among them. */
  List<String> callees() {
    return CALL.matcher(file.sql()).results().map(call -> call.group(1)).distinct().toList();
  }

  /** The comment lines before the first line of SQL. */
  private static String headOf(String sql) {
    return sql.lines()
        .takeWhile(line -> line.isBlank() || line.startsWith("--"))
        .reduce("", (head, line) -> head + line + "\n");
  }
}
