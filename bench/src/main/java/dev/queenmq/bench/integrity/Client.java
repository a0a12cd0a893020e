package dev.queenmq.bench.integrity;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerUrl;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Sends one push over a connection of its own. It writes on its own thread and reads the answer
 * when it has written all, or when the broker does not take more. For one thread.
 */
final class Client {
  private static final int PIECE = 64 << 10;
  private static final int DRIP = 4 << 10;
  private static final int DRIP_MILLIS = 20;
  private static final int ANSWER_MILLIS = 120_000;

  /**
   * What came back.
   *
   * @param status of the answer; 0 if the client left, -1 if there was none though it stayed
   * @param body of the answer, or what went wrong
   */
  record Answer(int status, String body) {
    static final int LEFT = 0;
    static final int NONE = -1;
  }

  private final BrokerUrl url;
  private final SplittableRandom pauses;
  private final int longestStallMillis;

  Client(BrokerUrl url, long seed, int longestStallMillis) {
    this.url = url;
    this.longestStallMillis = longestStallMillis;
    pauses = new SplittableRandom(seed);
  }

  Answer send(Upload upload, byte[] body) {
    try (Socket socket = new Socket(url.host(), url.port())) {
      socket.setSoTimeout(ANSWER_MILLIS);
      try {
        write(socket, upload, body);
      } catch (IOException refused) {
        // The answer may be there all the same.
        return answer(socket);
      }
      return upload.manner() == Upload.Manner.LEAVE ? new Answer(Answer.LEFT, "") : answer(socket);
    } catch (IOException e) {
      return new Answer(Answer.NONE, e.toString());
    }
  }

  private void write(Socket socket, Upload upload, byte[] body) throws IOException {
    OutputStream out = socket.getOutputStream();
    String length =
        upload.chunked() ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length;
    out.write(
        ("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    int turn = (int) (body.length * 0.9);
    int end = upload.manner() == Upload.Manner.LEAVE ? turn : body.length;
    int piece = upload.manner() == Upload.Manner.DRIP ? DRIP : PIECE;
    boolean stalled = upload.manner() != Upload.Manner.STALL;
    for (int at = 0; at < end; ) {
      if (!stalled && at >= turn) {
        stalled = true;
        Blocking.sleep(Duration.ofMillis(1 + pauses.nextInt(longestStallMillis)));
      }
      if (upload.manner() == Upload.Manner.DRIP) {
        Blocking.sleep(Duration.ofMillis(DRIP_MILLIS));
      }
      int size = Math.min(piece, end - at);
      if (upload.chunked()) {
        out.write((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      out.write(body, at, size);
      if (upload.chunked()) {
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      at += size;
      if (socket.getInputStream().available() > 0) {
        // It has answered already: what it refused, it does not need to read.
        return;
      }
    }
    if (upload.chunked() && end == body.length) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    out.flush();
  }

  private static Answer answer(Socket socket) {
    try {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
          return new Answer(Answer.NONE, "closed after: " + head);
        }
        head.append((char) next);
      }
      int length = 0;
      for (String line : head.toString().toLowerCase(Locale.ROOT).split("\r\n", -1)) {
        if (line.startsWith("content-length:")) {
          length = Integer.parseInt(line.substring("content-length:".length()).trim());
        }
      }
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      return new Answer(Integer.parseInt(head.toString().split(" ", 3)[1]), body);
    } catch (IOException e) {
      return new Answer(Answer.NONE, e.toString());
    }
  }
}
