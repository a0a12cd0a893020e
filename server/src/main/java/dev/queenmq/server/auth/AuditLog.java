package dev.queenmq.server.auth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each administrative action, also for a denied one: who, what, when, and the
 * outcome. A line is one JSON object in plain ASCII, so that nothing a caller sends can look like
 * another line. Safe for use by several threads.
 */
public final class AuditLog {
  /** The name to select its lines by. */
  public static final String LOGGER = "queen.audit";

  private static final Logger log = LoggerFactory.getLogger(LOGGER);
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
  private static final String ANONYMOUS = "anonymous";
  private static final String HIDDEN = "****";
  private static final int LONGEST_NAME = 64;
  private static final int LONGEST_VALUE = 256;
  private static final int MOST_PARAMETERS = 32;
  private static final int UNAUTHENTICATED = 401;
  private static final int FORBIDDEN = 403;
  private static final int STRANGERS_A_SECOND = 5;
  private static final int FORBIDDEN_A_SECOND = 50;

  private final Consumer<String> lines;
  private final InstantSource clock;
  private final LineLimit strangers;
  private final LineLimit forbidden;

  /** A log that passes its lines to a consumer. */
  AuditLog(Consumer<String> lines, InstantSource clock, LongSupplier nanoTime) {
    this.lines = lines;
    this.clock = clock;
    strangers = new LineLimit(STRANGERS_A_SECOND, nanoTime);
    forbidden = new LineLimit(FORBIDDEN_A_SECOND, nanoTime);
  }

  /** A log that passes its lines to a writer. */
  public static AuditLog start(AuditWriter writer, InstantSource clock, LongSupplier nanoTime) {
    return new AuditLog(writer, clock, nanoTime);
  }

  /** What a writer writes to: the log, and perhaps something else. */
  public static Consumer<List<String>> target(Consumer<List<String>> besides) {
    return lines -> {
      lines.forEach(line -> log.info("{}", line));
      besides.accept(lines);
    };
  }

  /** A log that discards its lines. */
  public static AuditLog none() {
    // The time of a line that is discarded does not matter.
    return new AuditLog(line -> {}, InstantSource.fixed(Instant.EPOCH), () -> 0);
  }

  /**
   * Writes a line, unless there are too many of its kind: unauthenticated clients must not fill the
   * disk.
   */
  public void write(AuditEntry entry) {
    if (entry.status() == UNAUTHENTICATED) {
      strangers.pass().ifPresent(unsaid -> lines.accept(line(entry, unsaid)));
    } else if (entry.status() == FORBIDDEN) {
      forbidden.pass().ifPresent(unsaid -> lines.accept(line(entry, unsaid)));
    } else {
      lines.accept(line(entry, 0));
    }
  }

  private String line(AuditEntry entry, long unsaid) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
      json.writeStringField("who", shortened(entry.subject().orElse(ANONYMOUS), LONGEST_VALUE));
      json.writeStringField("client", entry.client());
      json.writeStringField("method", entry.method());
      json.writeStringField("route", entry.route());
      json.writeObjectFieldStart("parameters");
      int written = 0;
      for (Map.Entry<String, String> each : entry.parameters().entrySet()) {
        if (written++ < MOST_PARAMETERS) {
          json.writeStringField(shortened(each.getKey(), LONGEST_NAME), value(each));
        }
      }
      json.writeEndObject();
      json.writeNumberField("status", entry.status());
      if (unsaid > 0) {
        json.writeNumberField("unsaid", unsaid);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** No parameter of ours is a secret; what looks like one got there by mistake. */
  private static String value(Map.Entry<String, String> parameter) {
    String name = parameter.getKey().toLowerCase(Locale.ROOT);
    boolean secret =
        name.contains("token")
            || name.contains("secret")
            || name.contains("password")
            || name.contains("authorization")
            || name.contains("jwt");
    return secret ? HIDDEN : shortened(parameter.getValue(), LONGEST_VALUE);
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "...";
  }
}
