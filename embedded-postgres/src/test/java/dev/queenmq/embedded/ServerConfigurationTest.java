package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerConfigurationTest {

  private static final long GIB = 1024L * 1024 * 1024;
  private static final Path USER_FILE = Path.of("/data/it's mine/postgresql.user.conf");

  @Test
  void text_putsOursFirst_thenTheUsersFile_thenTheCallers() {
    String text = configuration(2 * GIB, Map.of("work_mem", "1MB")).text();
    assertThat(text)
        .containsSubsequence(
            "fsync = 'on'",
            "synchronous_commit = 'on'",
            "shared_buffers = ",
            "include_if_exists = '/data/it''s mine/postgresql.user.conf'",
            "work_mem = '1MB'");
  }

  @Test
  void text_waitsForNoDisk_whereNothingMustLast() {
    String text = new ServerConfiguration(GIB, USER_FILE, Map.of(), false).text();
    assertThat(text)
        .contains("fsync = 'off'", "full_page_writes = 'off'", "synchronous_commit = 'off'")
        .doesNotContain("fsync = 'on'");
  }

  @Test
  void text_fitsSharedBuffersToTheMachine() {
    assertThat(configuration(64 * GIB, Map.of()).text()).contains("shared_buffers = '256MB'");
    assertThat(configuration(GIB, Map.of()).text()).contains("shared_buffers = '128MB'");
    assertThat(configuration(GIB / 16, Map.of()).text()).contains("shared_buffers = '32MB'");
  }

  @Test
  void text_cannotBeBrokenOutOf_byValues() {
    String text = configuration(GIB, Map.of("application_name", "a'\\\nfsync = off")).text();
    assertThat(text).contains("application_name = 'a''\\\\\\nfsync = off'");
    assertThat(text.lines()).doesNotContain("fsync = off");
  }

  @Test
  void configuration_refusesWhatIsNoSettingName() {
    assertThatThrownBy(() -> configuration(GIB, Map.of("fsync = off #", "1")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static ServerConfiguration configuration(long memory, Map<String, String> extra) {
    return new ServerConfiguration(memory, USER_FILE, extra, true);
  }
}
