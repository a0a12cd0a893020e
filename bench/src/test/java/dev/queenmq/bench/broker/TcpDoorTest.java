package dev.queenmq.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.bench.Blocking;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpDoorTest {
  private static final int SHORT_MILLIS = 300;
  private static final int LONG_MILLIS = 30_000;

  private final Vertx vertx = Vertx.vertx();

  @SuppressWarnings("NullAway.Init")
  private ServerSocket server;

  @SuppressWarnings("NullAway.Init")
  private TcpDoor door;

  @SuppressWarnings("NullAway.Init")
  private Socket client;

  @SuppressWarnings("NullAway.Init")
  private Socket accepted;

  TcpDoorTest() {}

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    door = new TcpDoor(vertx, FreePorts.take(1, new Random()).get(0), server.getLocalPort());
    client = connect();
    accepted = server.accept();
    client.setSoTimeout(LONG_MILLIS);
    accepted.setSoTimeout(LONG_MILLIS);
    // The connection is there before the door knows of it.
    says(client, 0);
    hears(accepted, 0);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    accepted.close();
    door.close();
    server.close();
    Blocking.get(vertx.close());
  }

  @Test
  void open_passesBothWays() throws IOException {
    says(client, 1);
    hears(accepted, 1);
    says(accepted, 2);
    hears(client, 2);
  }

  @Test
  void slow_keepsTheOrder() throws IOException {
    door.slow(5);
    for (int i = 0; i < 100; i++) {
      says(client, i);
    }
    door.let(TcpDoor.Mode.OPEN);
    for (int i = 100; i < 120; i++) {
      says(client, i);
    }
    for (int i = 0; i < 120; i++) {
      hears(accepted, i);
    }
  }

  @Test
  void stuck_passesAllOfItLater() throws IOException {
    door.let(TcpDoor.Mode.STUCK);
    says(client, 1);
    hearsNothing(accepted);
    door.let(TcpDoor.Mode.OPEN);
    hears(accepted, 1);
  }

  @Test
  void silent_losesAllThatIsSaid_andCutsInTheEnd() throws IOException {
    door.let(TcpDoor.Mode.SILENT);
    says(client, 1);
    hearsNothing(accepted);
    says(accepted, 2);
    hearsNothing(client);
    door.let(TcpDoor.Mode.OPEN);
    assertThat(ends(client.getInputStream())).isTrue();
  }

  @Test
  void deaf_losesAnswers_andCutsInTheEnd() throws IOException {
    door.let(TcpDoor.Mode.DEAF);
    says(client, 1);
    hears(accepted, 1);
    says(accepted, 2);
    hearsNothing(client);
    door.let(TcpDoor.Mode.OPEN);
    assertThat(ends(client.getInputStream())).isTrue();
  }

  @Test
  void shut_cutsAndRefuses_untilItIsOpen() throws IOException {
    door.let(TcpDoor.Mode.SHUT);
    assertThat(ends(client.getInputStream())).isTrue();
    assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
    door.let(TcpDoor.Mode.OPEN);
    try (Socket again = connect();
        Socket acceptedAgain = server.accept()) {
      acceptedAgain.setSoTimeout(LONG_MILLIS);
      says(again, 3);
      hears(acceptedAgain, 3);
    }
  }

  @Test
  void forgotten_looksAliveToTheBrokerOnly() throws IOException {
    door.forget();
    assertThat(ends(accepted.getInputStream())).isTrue();
    says(client, 1);
    hearsNothing(client);
    try (Socket again = connect();
        Socket acceptedAgain = server.accept()) {
      acceptedAgain.setSoTimeout(LONG_MILLIS);
      says(again, 3);
      hears(acceptedAgain, 3);
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), door.port());
  }

  private static void says(Socket socket, int number) throws IOException {
    socket.getOutputStream().write(number);
    socket.getOutputStream().flush();
  }

  private static void hears(Socket socket, int number) throws IOException {
    assertThat(socket.getInputStream().read()).isEqualTo(number);
  }

  private static void hearsNothing(Socket socket) throws IOException {
    socket.setSoTimeout(SHORT_MILLIS);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(LONG_MILLIS);
  }

  private static boolean ends(InputStream stream) {
    try {
      return stream.read() < 0;
    } catch (IOException e) {
      return !(e instanceof SocketTimeoutException);
    }
  }
}
