package dev.queenmq.server.migration;

/** One script to apply. */
sealed interface MigrationStep {

  /** The shipped text. */
  ScriptFile file();

  /** For people: {@code migration 001_queues.sql}. */
  String describe();

  /** Changes the schema. */
  record ApplyMigration(Migration migration) implements MigrationStep {
    @Override
    public ScriptFile file() {
      return migration.file();
    }

    @Override
    public String describe() {
      return "migration " + file().name();
    }
  }

  /** Creates or replaces a function. */
  record ApplyProcedure(Procedure procedure) implements MigrationStep {
    @Override
    public ScriptFile file() {
      return procedure.file();
    }

    @Override
    public String describe() {
      return "procedure " + procedure.name() + " revision " + procedure.revision();
    }
  }
}
