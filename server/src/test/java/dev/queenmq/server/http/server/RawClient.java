package dev.queenmq.server.http.server;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A socket that speaks HTTP as badly as a test wants. */
public final class RawClient implements Closeable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;
  private final InputStream in;

  public RawClient(int port) throws IOException {
    this(port, InetAddress.getLoopbackAddress());
  }

  /** One at this address; any that begins with 127 will do. */
  public RawClient(int port, InetAddress from) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** An answer: its first line, headers in lower case, and body. */
  public record Answer(String head, String body) {
    public int status() {
      return Integer.parseInt(head.split(" ", 3)[1]);
    }
  }

  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  public static String post(String path, String body) {
    return "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(path, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  public static String request(String method, String path) {
    return "%s %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(method, path);
  }

  public Answer receive() throws IOException {
    Answer head = receiveHead();
    int length = 0;
    for (String line : head.head().lines().toList()) {
      if (line.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).trim());
      }
    }
    return new Answer(head.head(), new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  /** For what is answered without a body, whatever the headers say. */
  public Answer receiveHead() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed after: " + head);
      }
      head.append((char) next);
    }
    return new Answer(head.toString().toLowerCase(Locale.ROOT), "");
  }

  /** Whether the server has closed the connection, once it did. */
  public boolean isClosedByServer() throws IOException {
    return in.read() < 0;
  }

  /** Whether the server closes the connection within this time; what it sends before is lost. */
  public boolean hasEndedWithin(Duration patience) throws IOException {
    socket.setSoTimeout((int) patience.toMillis());
    try {
      in.transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  /** Ends the connection without a word. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
