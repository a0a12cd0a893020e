package dev.queenmq.server.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.migration.SchemaHistory.AppliedMigration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MigrationPlanTest {

  private static final ScriptFile FIRST = new ScriptFile("001_first.sql", "select 1;");
  private static final ScriptFile SECOND = new ScriptFile("002_second.sql", "select 2;");
  private static final ScriptFile PUSH = new ScriptFile("push_v1.sql", "-- revision: 1\nselect 3;");
  private static final MigrationScripts SCRIPTS =
      MigrationScripts.of(List.of(FIRST, SECOND), List.of(PUSH));

  @Test
  void between_putsMigrationsBeforeProcedures() {
    MigrationPlan plan = MigrationPlan.between(SCRIPTS, SchemaHistory.EMPTY);

    assertThat(plan.pending()).extracting(MigrationStep::file).containsExactly(FIRST, SECOND, PUSH);
  }

  @Test
  void next_isOneMigration_orAllProcedures() {
    MigrationScripts scripts =
        MigrationScripts.of(
            List.of(FIRST, SECOND),
            List.of(
                PUSH,
                new ScriptFile("pop_v1.sql", "-- revision: 1\ncreate function queen.pop_v1")));

    assertThat(MigrationPlan.between(scripts, SchemaHistory.EMPTY).next())
        .extracting(MigrationStep::file)
        .containsExactly(FIRST);
    MigrationPlan last =
        MigrationPlan.between(
            scripts,
            new SchemaHistory(
                Map.of(
                    1, new AppliedMigration(FIRST.name(), FIRST.checksum()),
                    2, new AppliedMigration(SECOND.name(), SECOND.checksum())),
                Map.of()));
    assertThat(last.next()).hasSize(2).isEqualTo(last.pending());
    assertThat(new MigrationPlan(List.of(), List.of()).next()).isEmpty();
  }

  @Test
  void between_goesOnAfterWhatIsApplied() {
    MigrationPlan plan = MigrationPlan.between(SCRIPTS, applied(1, FIRST));

    assertThat(plan.pending()).extracting(MigrationStep::file).containsExactly(SECOND, PUSH);
  }

  @Test
  void between_refusesMigrationBelowOneThatIsApplied() {
    assertThatThrownBy(() -> MigrationPlan.between(SCRIPTS, applied(2, SECOND)))
        .hasMessage(
            "migration 001_first.sql has a lower number than one that is already applied (2);"
                + " give it the next free number");
  }

  private static SchemaHistory applied(int version, ScriptFile file) {
    return new SchemaHistory(
        Map.of(version, new AppliedMigration(file.name(), file.checksum())), Map.of());
  }
}
