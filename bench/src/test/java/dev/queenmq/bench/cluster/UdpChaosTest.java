package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UdpChaosTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  UdpChaosTest() {}

  @Test
  void packets_comeFromTheAddressThatTheReceiverKnows() throws IOException {
    try (DatagramSocket one = new DatagramSocket(0, HERE);
        DatagramSocket other = new DatagramSocket(0, HERE);
        UdpChaos chaos = UdpChaos.between(List.of(one.getLocalPort(), other.getLocalPort()), 1)) {
      send(one, chaos.port(0, 1));

      DatagramPacket heard = receive(other);
      assertThat(new String(heard.getData(), 0, heard.getLength(), StandardCharsets.UTF_8))
          .isEqualTo("hint");
      assertThat(heard.getPort()).isEqualTo(chaos.port(1, 0));
      assertThat(chaos.counts())
          .containsEntry(UdpFault.RECEIVED, 1L)
          .containsEntry(UdpFault.BLOCKED, 0L);
    }
  }

  @Test
  void nothing_passes_whenBlocked() throws IOException {
    try (DatagramSocket one = new DatagramSocket(0, HERE);
        DatagramSocket other = new DatagramSocket(0, HERE);
        UdpChaos chaos = UdpChaos.between(List.of(one.getLocalPort(), other.getLocalPort()), 1)) {
      chaos.let(UdpChaos.Mode.NOTHING);
      send(one, chaos.port(0, 1));

      other.setSoTimeout(200);
      assertThatThrownBy(() -> receive(other)).isInstanceOf(SocketTimeoutException.class);
      await().untilAsserted(() -> assertThat(chaos.counts()).containsEntry(UdpFault.BLOCKED, 1L));
    }
  }

  @Test
  void muted_isNotHeard_butHears() throws IOException {
    try (DatagramSocket one = new DatagramSocket(0, HERE);
        DatagramSocket other = new DatagramSocket(0, HERE);
        UdpChaos chaos = UdpChaos.between(List.of(one.getLocalPort(), other.getLocalPort()), 1)) {
      chaos.mute(0);
      send(one, chaos.port(0, 1));
      send(other, chaos.port(1, 0));

      assertThat(receive(one).getPort()).isEqualTo(chaos.port(0, 1));
      await().until(() -> chaos.counts().getOrDefault(UdpFault.BLOCKED, 0L) == 1);
      chaos.unmute();
      send(one, chaos.port(0, 1));
      assertThat(receive(other).getPort()).isEqualTo(chaos.port(1, 0));
      // A packet is counted when it has left, and may be heard before.
      await().untilAsserted(() -> assertThat(chaos.counts()).containsEntry(UdpFault.SENT, 2L));
    }
  }

  private static void send(DatagramSocket socket, int port) throws IOException {
    byte[] text = "hint".getBytes(StandardCharsets.UTF_8);
    socket.send(new DatagramPacket(text, text.length, HERE, port));
  }

  private static DatagramPacket receive(DatagramSocket socket) throws IOException {
    if (socket.getSoTimeout() == 0) {
      socket.setSoTimeout(5_000);
    }
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    socket.receive(packet);
    return packet;
  }
}
