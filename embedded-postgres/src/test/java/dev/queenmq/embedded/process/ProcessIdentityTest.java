package dev.queenmq.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

  @Test
  void current_isAlive_andSurvivesItsTextForm() {
    ProcessIdentity self = ProcessIdentity.current();
    assertThat(self.isAlive()).isTrue();
    assertThat(ProcessIdentity.parse(self.format() + "\n")).contains(self);
  }

  @Test
  void isAlive_isFalse_forAnEarlierLifeOfTheSameProcessId() {
    ProcessIdentity self = ProcessIdentity.current();
    assertThat(new ProcessIdentity(self.pid(), "boot/1").isAlive()).isFalse();
  }

  @Test
  void parse_givesNothing_forHalfAFile() {
    assertThat(ProcessIdentity.parse("")).isEmpty();
    assertThat(ProcessIdentity.parse("12")).isEmpty();
    assertThat(ProcessIdentity.parse("twelve boot/1")).isEmpty();
  }

  @Test
  void awaitEnd_ends_withTheProcess() throws Exception {
    Process process = new ProcessBuilder("sleep", "300").start();
    ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
    assertThat(identity.awaitEnd(Duration.ofMillis(50))).isFalse();
    process.destroyForcibly();
    assertThat(identity.awaitEnd(Duration.ofSeconds(60))).isTrue();
  }

  /** The parent replaces itself by a program that never asks what became of its child. */
  @Test
  void of_givesNothing_forAZombie() throws Exception {
    Process parent = new ProcessBuilder("sh", "-c", "sleep 299 & echo $!; exec sleep 300").start();
    try {
      ProcessHandle child =
          ProcessHandle.of(Long.parseLong(parent.inputReader().readLine())).orElseThrow();
      Path parentCommand = Path.of("/proc/" + parent.pid() + "/cmdline");
      await().until(() -> Files.readString(parentCommand).startsWith("sleep"));
      assertThat(ProcessIdentity.of(child.pid())).isPresent();
      child.destroyForcibly();
      await().until(() -> ProcessIdentity.of(child.pid()).isEmpty());
      assertThat(ProcessHandle.of(child.pid())).as("the process id is still taken").isPresent();
    } finally {
      parent.destroyForcibly();
    }
  }
}
