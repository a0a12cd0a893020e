package dev.queenmq.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote beside this class. */
final class ProductVersion {

  private ProductVersion() {}

  static String current() {
    try (InputStream file = ProductVersion.class.getResourceAsStream("version.properties")) {
      if (file == null) {
        return "unknown";
      }
      Properties properties = new Properties();
      properties.load(file);
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
