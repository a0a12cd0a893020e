package dev.queenmq.server.http.dashboard;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that is served.
 *
 * @param contentType the header {@code Content-Type}
 */
record DashboardFile(String contentType, Buffer content) {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  /** Reads a file from the class path. */
  static DashboardFile read(String resource) {
    try (@Nullable InputStream in = DashboardFile.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is not on the class path");
      }
      return new DashboardFile(type(resource), Buffer.buffer(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String type(String name) {
    @Nullable String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalArgumentException("no content type for " + name);
    }
    return type;
  }
}
