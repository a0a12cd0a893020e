package dev.queenmq.server.logging;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/**
 * Makes every line of a standard stream a JSON object. What the logger writes is one already and
 * passes; any other line, of the start or of a library that prints, is put into an object with the
 * logger's field names. Safe behind a {@link PrintStream}, which serializes its callers.
 */
public final class JsonLines extends OutputStream {

  private final OutputStream raw;
  private final String name;
  private final String level;
  private final InstantSource clock;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /**
   * Wraps a stream.
   *
   * @param name of the logger that such lines seem to come from
   * @param level that such lines have
   */
  JsonLines(OutputStream raw, String name, String level, InstantSource clock) {
    this.raw = raw;
    this.name = name;
    this.level = level;
    this.clock = clock;
  }

  /** Replaces both standard streams of this process, for as long as it lives. */
  public static void install(InstantSource clock) {
    System.setOut(stream(System.out, "stdout", "INFO", clock));
    System.setErr(stream(System.err, "stderr", "ERROR", clock));
  }

  private static PrintStream stream(
      PrintStream raw, String name, String level, InstantSource clock) {
    return new PrintStream(new JsonLines(raw, name, level, clock), true, StandardCharsets.UTF_8);
  }

  @Override
  public void write(int b) throws IOException {
    if (b == '\n') {
      end();
    } else {
      line.write(b);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] == '\n') {
        line.write(bytes, from, i - from);
        end();
        from = i + 1;
      }
    }
    line.write(bytes, from, offset + length - from);
  }

  @Override
  public void flush() throws IOException {
    raw.flush();
  }

  private void end() throws IOException {
    String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
    line.reset();
    if (text.isEmpty()) {
      return;
    }
    raw.write((isObject(text) ? text : object(text)).getBytes(StandardCharsets.UTF_8));
    raw.write('\n');
    raw.flush();
  }

  private static boolean isObject(String text) {
    return text.startsWith("{\"") && text.endsWith("}");
  }

  private String object(String text) {
    return new JsonObject()
        .put("timestamp", clock.millis())
        .put("level", level)
        .put("threadName", Thread.currentThread().getName())
        .put("loggerName", name)
        .put("formattedMessage", text)
        .encode();
  }
}
