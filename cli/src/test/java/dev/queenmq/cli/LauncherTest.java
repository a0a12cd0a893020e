package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code ./queen} knows the commands by name, so that a wrong one builds nothing. */
class LauncherTest {

  @Test
  void launcher_knowsEveryCommand_andThePageShowsIt() throws IOException {
    String script = Files.readString(Path.of("..", "queen"));
    String page = Files.readString(Path.of("..", "docs", "cli.md"));
    Set<String> commands =
        script
            .lines()
            .filter(line -> line.startsWith("client_commands="))
            .flatMap(
                line -> Stream.of(line.replaceAll(".*=|\"|\\$\\w+", "").strip().split(" ", -1)))
            .collect(Collectors.toSet());
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Session session =
        new Session(
            new Terminal(
                InputStream.nullInputStream(),
                nowhere,
                nowhere,
                false,
                0,
                Map.of(),
                Path.of("none")));
    Set<String> known = Cli.commandLine(session, List.of()).getSubcommands().keySet();
    assertThat(known).hasSizeGreaterThan(20);
    assertThat(commands).isEqualTo(known);
    for (String command : known) {
      assertThat(Pattern.compile("(?m)^  .*\\b" + command + "\\b").matcher(script).results())
          .as("%s in the help of ./queen, in the repository and in a distribution", command)
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(Pattern.compile("`" + command + "[ `]").matcher(page).find())
          .as("%s in docs/cli.md", command)
          .isTrue();
    }
  }
}
