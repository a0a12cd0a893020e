package dev.queenmq.server.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationScriptsTest {

  @Test
  void bundled_holdsTheRulesForNames() {
    MigrationScripts scripts = MigrationScripts.bundled();

    assertThat(scripts.migrations())
        .extracting(Migration::version)
        .isSorted()
        .doesNotHaveDuplicates();
    for (Procedure procedure : scripts.procedures()) {
      assertThat(procedure.file().sql())
          .containsIgnoringWhitespaces(
              "create or replace function queen." + procedure.name() + "(");
    }
  }

  /** Versions count from 1: a second one stands beside the first, for the brokers that call it. */
  @Test
  void bundled_hasNoSecondVersionWithoutTheFirst() {
    List<String> names =
        MigrationScripts.bundled().procedures().stream().map(Procedure::name).toList();

    assertThat(names)
        .allSatisfy(
            name -> {
              String[] parts = name.split("_v(?=\\d+$)", 2);
              int version = Integer.parseInt(parts[1]);
              if (version > 1) {
                assertThat(names).contains(parts[0] + "_v" + (version - 1));
              }
            });
  }

  @Test
  void of_ordersMigrationsByNumber() {
    MigrationScripts scripts =
        MigrationScripts.of(List.of(file("1000_late.sql"), file("002_early.sql")), List.of());

    assertThat(scripts.migrations()).extracting(Migration::version).containsExactly(2, 1000);
  }

  @Test
  void of_putsProceduresBehindThoseTheyCall() {
    List<ScriptFile> procedures =
        List.of(
            procedure("first_v1", "second_v1", "third_v1"),
            procedure("fourth_v1"),
            procedure("second_v1", "third_v1", "second_v1", "unknown_v1"),
            procedure("third_v1"));

    assertThat(MigrationScripts.of(List.of(), procedures).procedures())
        .extracting(Procedure::name)
        .containsExactly("third_v1", "second_v1", "first_v1", "fourth_v1");
  }

  @Test
  void of_refusesTwoMigrationsOfOneNumber() {
    assertThatThrownBy(
            () -> MigrationScripts.of(List.of(file("001_a.sql"), file("001_b.sql")), List.of()))
        .hasMessage("two migrations have the number of 001_b.sql");
  }

  @Test
  void of_refusesMigrationWithoutNumber() {
    assertThatThrownBy(() -> MigrationScripts.of(List.of(file("first.sql")), List.of()))
        .hasMessageContaining("first.sql is not named like 001_what_it_does.sql");
  }

  @Test
  void of_refusesProcedureWithoutVersionInItsName() {
    assertThatThrownBy(() -> MigrationScripts.of(List.of(), List.of(file("push.sql"))))
        .hasMessageContaining("push.sql is not named after its function");
  }

  @Test
  void of_refusesProcedureWithoutRevision() {
    ScriptFile late = new ScriptFile("push_v1.sql", "-- A text.\nselect 1;\n-- revision: 1\n");

    assertThatThrownBy(() -> MigrationScripts.of(List.of(), List.of(late)))
        .hasMessageContaining("push_v1.sql does not begin with a line like '-- revision: 1'");
  }

  @Test
  void of_readsRevisionAmongTheFirstComments() {
    ScriptFile file = new ScriptFile("push_v1.sql", "-- Appends.\r\n-- revision: 12\r\nselect 1;");

    assertThat(MigrationScripts.of(List.of(), List.of(file)).procedures())
        .extracting(Procedure::revision)
        .containsExactly(12);
  }

  @Test
  void checksum_ignoresTheKindOfLineEnd() {
    assertThat(new ScriptFile("a", "x\r\ny\r\n").checksum())
        .isEqualTo(new ScriptFile("b", "x\ny\n").checksum())
        .isNotEqualTo(new ScriptFile("c", "x\ny").checksum());
  }

  private static ScriptFile procedure(String name, String... calls) {
    StringBuilder sql = new StringBuilder("-- revision: 1\n-- See fourth_v1.\n");
    for (String call : calls) {
      sql.append("select queen.").append(call).append("(1);\n");
    }
    return new ScriptFile(name + ".sql", sql.toString());
  }

  private static ScriptFile file(String name) {
    return new ScriptFile(name, "select 1;");
  }
}
