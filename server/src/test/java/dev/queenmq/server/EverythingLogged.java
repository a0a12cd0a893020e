package dev.queenmq.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A logging configuration under which everything is said that anybody has to say. */
public final class EverythingLogged {
  private static final String CONFIGURATION =
      """
      <configuration>
        <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%level %logger %msg%n</pattern></encoder>
        </appender>
        <root level="trace"><appender-ref ref="console"/></root>
      </configuration>
      """;

  private EverythingLogged() {}

  /** Writes it into this folder. */
  public static Path in(Path folder) throws IOException {
    return Files.writeString(folder.resolve("everything.xml"), CONFIGURATION);
  }
}
