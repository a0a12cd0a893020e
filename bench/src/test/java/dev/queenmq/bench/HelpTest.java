package dev.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.queenmq.bench.main.Bench;
import dev.queenmq.bench.torture.Torture;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of each command: picocli prints a warning before it if a text is no format string. */
class HelpTest {
  HelpTest() {}

  static Stream<CommandLine> commands() {
    CommandLine bench = new CommandLine(new Bench());
    return Stream.concat(
        Stream.of(bench, new CommandLine(new Torture())), bench.getSubcommands().values().stream());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void texts_areFormatStrings(CommandLine command) {
    List<String> texts =
        Stream.concat(
                Stream.of(command.getCommandSpec().usageMessage().description()),
                command.getCommandSpec().options().stream()
                    .flatMap(option -> Stream.of(option.description())))
            .toList();

    assertThat(texts).isNotEmpty();
    assertThat(texts)
        .allSatisfy(text -> assertThatCode(() -> text.formatted()).doesNotThrowAnyException());
  }
}
