package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

  private static final Path PAGE = Path.of("../docs/configuration.md");

  /** Write the page again with {@code mvn test -pl server -Dqueen.docs.write=true}. */
  @Test
  void page_saysWhatTheCatalogueSays() throws IOException {
    if (Boolean.getBoolean("queen.docs.write")) {
      Files.writeString(PAGE, SettingsHelp.markdown());
    }
    assertThat(PAGE).content().isEqualTo(SettingsHelp.markdown());
  }

  @Test
  void help_namesEverySettingOnShortLines() {
    String help = ServerConfig.help();

    assertThat(Settings.groups())
        .flatExtracting(Setting.Group::settings)
        .allSatisfy(setting -> assertThat(help).contains("\n  " + setting.name()));
    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(85));
  }
}
