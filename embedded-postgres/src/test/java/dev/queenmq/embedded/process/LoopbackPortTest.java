package dev.queenmq.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopbackPortTest {

  @TempDir Path folder;

  @Test
  void choose_avoidsRememberedPort_onlyWhileItIsTaken() throws Exception {
    LoopbackPort ports = new LoopbackPort(folder.resolve("port"), LoopbackPort::isFree);
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
      ports.remember(port);
      assertThat(ports.choose()).isNotEqualTo(port);
    }
    assertThat(ports.choose()).isEqualTo(port);
  }

  @Test
  void choose_forgetsNonsense() throws Exception {
    Path file = folder.resolve("port");
    for (String nonsense : new String[] {"", "many", "-1", "70000"}) {
      Files.writeString(file, nonsense);
      assertThat(new LoopbackPort(file, LoopbackPort::isFree).choose()).isBetween(1, 65535);
    }
  }
}
