package dev.queenmq.server.migration;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A change of the schema, applied once and never edited afterwards. */
record Migration(int version, ScriptFile file) {

  private static final Pattern NAME = Pattern.compile("(\\d{3,6})_[a-z0-9_]+\\.sql");

  static Migration of(ScriptFile file) {
    Matcher matcher = NAME.matcher(file.name());
    if (!matcher.matches()) {
      throw new MigrationException(
          "migration file " + file.name() + " is not named like 001_what_it_does.sql");
    }
    return new Migration(Integer.parseInt(matcher.group(1)), file);
  }
}
