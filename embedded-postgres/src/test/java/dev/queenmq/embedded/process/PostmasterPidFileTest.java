package dev.queenmq.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostmasterPidFileTest {

  private static final FileTime NOW = FileTime.fromMillis(1);

  @Test
  void parse_findsProcessAndStatus() {
    PostmasterPidFile file =
        PostmasterPidFile.parse(
                List.of("77", "/data", "1700000000", "5432", "", "127.0.0.1", " 1 2", "ready   "),
                NOW)
            .orElseThrow();
    assertThat(file.pid()).isEqualTo(77);
    assertThat(file.ready()).isTrue();
  }

  @Test
  void parse_isNotReady_whileTheFileIsStillBeingWritten() {
    assertThat(PostmasterPidFile.parse(List.of("77", "/data"), NOW).orElseThrow().ready())
        .isFalse();
    assertThat(PostmasterPidFile.parse(List.of(""), NOW)).isEmpty();
    assertThat(PostmasterPidFile.parse(List.of(), NOW)).isEmpty();
  }

  @Test
  void parse_findsStandAloneBackend() {
    assertThat(PostmasterPidFile.parse(List.of("-77"), NOW).orElseThrow().pid()).isEqualTo(77);
  }

  @Test
  void read_givesNothing_whenThereIsNoFile() throws Exception {
    assertThat(PostmasterPidFile.read(Path.of("/nowhere/postmaster.pid"))).isEmpty();
  }
}
