package dev.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxException;
import java.net.SocketException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class PostgresFaultTest {

  @Test
  void aConnectionThatBroke_isReportedAsClosed_howeverTheDriverSaysIt() {
    Throwable closedBefore =
        VertxException.noStackTrace("Connection is not active now, current status: CLOSED");
    Throwable reset = new SocketException("Connection reset");

    assertThat(PostgresFault.summary(closedBefore)).isEqualTo("the connection was closed");
    assertThat(PostgresFault.summary(reset)).isEqualTo("the connection was closed");
    assertThat(PostgresFault.isPassing(closedBefore)).isTrue();
    assertThat(PostgresFault.isPassing(reset)).isTrue();
  }

  @Test
  void aFailedHandshake_doesNotPass() {
    assertThat(PostgresFault.isPassing(new SSLHandshakeException("no"))).isFalse();
    assertThat(PostgresFault.isPassing(VertxException.noStackTrace("SSL handshake failed")))
        .isFalse();
  }
}
