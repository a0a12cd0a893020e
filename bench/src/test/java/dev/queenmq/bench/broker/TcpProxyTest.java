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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
  private static final int SHORT_MILLIS = 300;
  private static final int LONG_MILLIS = 30_000;

  private final Vertx vertx = Vertx.vertx();

  @SuppressWarnings("NullAway.Init")
  private ServerSocket server;

  @SuppressWarnings("NullAway.Init")
  private TcpProxy proxy;

  @SuppressWarnings("NullAway.Init")
  private Socket client;

  @SuppressWarnings("NullAway.Init")
  private Socket accepted;

  TcpProxyTest() {}

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    proxy = new TcpProxy(vertx, FreePorts.take(1).get(0), server.getLocalPort());
    client = connect();
    accepted = server.accept();
    client.setSoTimeout(LONG_MILLIS);
    accepted.setSoTimeout(LONG_MILLIS);
    // The connection is there before the proxy knows of it.
    says(client, 0);
    hears(accepted, 0);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    accepted.close();
    proxy.close();
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
    proxy.slow(5);
    for (int i = 0; i < 100; i++) {
      says(client, i);
    }
    proxy.let(TcpProxy.Mode.OPEN);
    for (int i = 100; i < 120; i++) {
      says(client, i);
    }
    for (int i = 0; i < 120; i++) {
      hears(accepted, i);
    }
  }

  @Test
  void stuck_passesAllOfItLater() throws IOException {
    proxy.let(TcpProxy.Mode.STUCK);
    says(client, 1);
    hearsNothing(accepted);
    proxy.let(TcpProxy.Mode.OPEN);
    hears(accepted, 1);
  }

  @Test
  void silent_losesAllThatIsSaid_andCutsInTheEnd() throws IOException {
    proxy.let(TcpProxy.Mode.SILENT);
    says(client, 1);
    hearsNothing(accepted);
    says(accepted, 2);
    hearsNothing(client);
    proxy.let(TcpProxy.Mode.OPEN);
    assertThat(ends(client.getInputStream())).isTrue();
  }

  @Test
  void deaf_losesAnswers_andCutsInTheEnd() throws IOException {
    proxy.let(TcpProxy.Mode.DEAF);
    says(client, 1);
    hears(accepted, 1);
    says(accepted, 2);
    hearsNothing(client);
    proxy.let(TcpProxy.Mode.OPEN);
    assertThat(ends(client.getInputStream())).isTrue();
  }

  @Test
  void shut_cutsAndRefuses_untilItIsOpen() throws IOException {
    proxy.let(TcpProxy.Mode.SHUT);
    assertThat(ends(client.getInputStream())).isTrue();
    assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
    proxy.let(TcpProxy.Mode.OPEN);
    try (Socket again = connect();
        Socket acceptedAgain = server.accept()) {
      acceptedAgain.setSoTimeout(LONG_MILLIS);
      says(again, 3);
      hears(acceptedAgain, 3);
    }
  }

  @Test
  void forgotten_looksAliveToTheBrokerOnly() throws IOException {
    proxy.forget();
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
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
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
