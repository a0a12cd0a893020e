package dev.queenmq.bench.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpExchangeTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  HttpExchangeTest() {}

  @Test
  void answers_areReadOneAfterTheOther() throws IOException {
    HttpExchange exchange =
        answered(
            String.join(
                "\r\n",
                "HTTP/1.1 201 Created",
                "Content-Length: 5",
                "",
                "HTTP/HTTP/1.1 204 No Content",
                "",
                "HTTP/1.1 200 OK",
                "Transfer-Encoding: chunked",
                "",
                "a",
                "0123456789",
                "1",
                "\n",
                "0",
                "",
                "HTTP/1.1 429 Too Many Requests",
                "content-length: 0",
                "Connection: close",
                "",
                ""));

    assertThat(exchange.send("a")).isEqualTo(201);
    assertThat(exchange.send("b")).isEqualTo(204);
    assertThat(exchange.send("c")).isEqualTo(200);
    assertThat(exchange.isClosing()).isFalse();
    assertThat(exchange.send("d")).isEqualTo(429);
    assertThat(exchange.isClosing()).isTrue();
    assertThat(sent.toString(StandardCharsets.US_ASCII)).isEqualTo("abcd");
  }

  @Test
  void answerThatEndsTooSoon_isNone() {
    assertThatThrownBy(() -> answered("").send("a")).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> answered("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n1234").send("a"))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> answered("SSH-2.0\r\n\r\n").send("a")).isInstanceOf(IOException.class);
  }

  private HttpExchange answered(String text) {
    return new HttpExchange(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)), sent);
  }
}
