package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndsWithParentTest {

  /** The kernel closes the pipe of a process that is killed; here it is closed by hand. */
  @Test
  void command_isAskedToStop_whenItsParentIsGone() throws Exception {
    Process command =
        new ProcessBuilder(
                EndsWithParent.command(
                    List.of(
                        "sh", "-c", "trap 'exit 7' TERM; echo up; while :; do sleep 0.1; done")))
            .start();
    try {
      assertThat(command.inputReader().readLine()).isEqualTo("up");
      assertThat(command.isAlive()).isTrue();

      command.getOutputStream().close();

      assertThat(command.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(command.exitValue()).isEqualTo(7);
    } finally {
      command.descendants().forEach(ProcessHandle::destroyForcibly);
      command.destroyForcibly();
    }
  }

  @Test
  void command_thatEndsByItself_leavesNothingBehind() throws Exception {
    Process command =
        new ProcessBuilder(EndsWithParent.command(List.of("sh", "-c", "echo $$; exit 3"))).start();

    assertThat(command.inputReader().readLine()).isEqualTo(Long.toString(command.pid()));
    assertThat(command.waitFor()).isEqualTo(3);
    command.getOutputStream().close();
    assertThat(command.descendants()).isEmpty();
  }
}
