package dev.queenmq.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class FreePortsTest {
  private static final long SEED = 5;

  FreePortsTest() {}

  /** Others have one loopback address, unless they are told of more. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anotherRun_getsOthers() {
    try (FreePorts ours = reserve();
        FreePorts theirs = reserve()) {
      assertThat(theirs.numbers()).hasSize(20).doesNotContainAnyElementsOf(ours.numbers());
    }
  }

  @Test
  void reservedPorts_areFreeForThoseWhoHaveThem() throws IOException {
    try (FreePorts ports = reserve()) {
      for (int port : ports.numbers()) {
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      }
    }
  }

  @Test
  void ports_areGivenAgain_whenARunIsOver() {
    FreePorts ours = reserve();
    List<Integer> numbers = ours.numbers();
    ours.close();
    try (FreePorts theirs = reserve()) {
      assertThat(theirs.numbers()).containsAnyElementsOf(numbers);
    }
  }

  private static FreePorts reserve() {
    return FreePorts.reserve(20, new Random(SEED));
  }
}
