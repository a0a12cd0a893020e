package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {

  private static String print(Table table, int width) {
    StringWriter text = new StringWriter();
    table.print(new PrintWriter(text, true), width, "nothing");
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  @Test
  void numbers_areAlignedToTheRight() {
    Table table = new Table("NAME", "COUNT").row("a", 5L).row("longer", 12_345L).row("none", null);
    assertThat(print(table, 0))
        .isEqualTo("NAME      COUNT\na             5\nlonger   12,345\nnone\n");
  }

  @Test
  void lines_areCut_whereATerminalEnds() {
    assertThat(print(new Table("NAME", "TEXT").row("a", "0123456789"), 12))
        .isEqualTo("NAME   TEXT\na      01...\n");
  }

  @Test
  void withoutRows_aSentence() {
    assertThat(print(new Table("NAME"), 0)).isEqualTo("nothing\n");
  }

  /** The name of a queue must not be able to move the cursor of whoever lists it. */
  @Test
  void controlCharacters_areNotWritten() {
    assertThat(print(new Table("NAME").row("a\u001b[2Jb\n"), 0)).isEqualTo("NAME\na?[2Jb?\n");
  }
}
