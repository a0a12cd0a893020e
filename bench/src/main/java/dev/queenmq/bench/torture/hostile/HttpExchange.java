package dev.queenmq.bench.torture.hostile;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Requests over one connection that stays open, with as little work as possible on this side: a
 * flood is to cost the broker its time, not the machine that both run on. Answers are read and
 * thrown away. For one thread.
 */
final class HttpExchange {
  private static final String LENGTH = "content-length:";
  private static final String CHUNKED = "transfer-encoding: chunked";
  private static final String CLOSE = "connection: close";
  private static final int NO_CONTENT = 204;
  private static final int LONGEST_LINE = 16 << 10;
  private static final int HEXADECIMAL = 16;

  private final InputStream in;
  private final OutputStream out;
  private boolean closing;

  HttpExchange(InputStream in, OutputStream out) {
    this.in = new BufferedInputStream(in);
    this.out = out;
  }

  /** Sends this and reads the whole answer; its status. */
  int send(String request) throws IOException {
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return read();
  }

  /** Whether the broker ends the connection behind the last answer. */
  boolean isClosing() {
    return closing;
  }

  private int read() throws IOException {
    String[] first = line().split(" ", 3);
    if (first.length < 2 || !first[0].startsWith("HTTP/1.")) {
      throw new IOException("no answer of HTTP/1");
    }
    int status = Integer.parseInt(first[1]);
    long length = 0;
    boolean chunked = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith(LENGTH)) {
        length = Long.parseLong(header.substring(LENGTH.length()).strip());
      }
      chunked |= header.equals(CHUNKED);
      closing |= header.equals(CLOSE);
    }
    if (status != NO_CONTENT) {
      skipBody(chunked, length);
    }
    return status;
  }

  private void skipBody(boolean chunked, long length) throws IOException {
    if (!chunked) {
      in.skipNBytes(length);
      return;
    }
    long chunk = chunk();
    while (chunk > 0) {
      in.skipNBytes(chunk);
      line();
      chunk = chunk();
    }
    line();
  }

  private long chunk() throws IOException {
    return Long.parseLong(line().strip(), HEXADECIMAL);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0 || line.length() > LONGEST_LINE) {
        throw new EOFException("no whole line");
      }
      if (each != '\r') {
        line.append((char) each);
      }
    }
    return line.toString();
  }
}
