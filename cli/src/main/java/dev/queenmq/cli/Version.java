package dev.queenmq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version that was built. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (@Nullable InputStream file = Version.class.getResourceAsStream("version.properties")) {
      if (file != null) {
        properties.load(file);
      }
    }
    return new String[] {"queen " + properties.getProperty("version", "(unknown version)")};
  }
}
