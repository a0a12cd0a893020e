package dev.queenmq.server.config;

import dev.queenmq.server.config.catalogue.TracingSettings;
import dev.queenmq.server.config.values.Secret;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the settings of OpenTelemetry, which have standard names and meanings. */
final class TracingReader {
  private static final String PATH = "v1/traces";
  private static final String PROTOCOL = "http/json";
  private static final String SERVICE = "service.name";

  private final ConfigReader reader;

  TracingReader(ConfigReader reader) {
    this.reader = reader;
  }

  /**
   * Nothing unless spans are asked for: the variables of others in the same environment count not.
   */
  Optional<TracingConfig> read() {
    boolean wanted = reader.value(TracingSettings.OTEL_TRACES_EXPORTER);
    URI endpoint = endpoint();
    Map<String, String> resource =
        new LinkedHashMap<>(
            reader.optional(TracingSettings.OTEL_RESOURCE_ATTRIBUTES).orElse(Map.of()));
    Optional<String> service = reader.optional(TracingSettings.OTEL_SERVICE_NAME);
    service.ifPresent(name -> resource.put(SERVICE, name));
    resource.putIfAbsent(SERVICE, "queen");
    Map<String, Secret> headers = new LinkedHashMap<>();
    reader
        .optional(TracingSettings.OTEL_EXPORTER_OTLP_HEADERS)
        .orElse(Map.of())
        .forEach((name, value) -> headers.put(name, new Secret(value)));
    TracingConfig config =
        new TracingConfig(
            endpoint,
            Map.copyOf(headers),
            reader.value(TracingSettings.OTEL_EXPORTER_OTLP_TIMEOUT),
            Map.copyOf(resource),
            reader.value(TracingSettings.OTEL_TRACES_SAMPLER),
            reader.value(TracingSettings.OTEL_TRACES_SAMPLER_ARG),
            reader.value(TracingSettings.OTEL_BSP_SCHEDULE_DELAY),
            reader.value(TracingSettings.OTEL_BSP_MAX_QUEUE_SIZE),
            reader.value(TracingSettings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE));
    if (!wanted || reader.value(TracingSettings.OTEL_SDK_DISABLED)) {
      return Optional.empty();
    }
    String protocol = reader.value(TracingSettings.OTEL_EXPORTER_OTLP_PROTOCOL);
    if (!protocol.equals(PROTOCOL)) {
      reader.mistake(
          "OTEL_EXPORTER_OTLP_PROTOCOL is '%s', but the broker sends spans by %s alone"
              .formatted(protocol, PROTOCOL));
    }
    return Optional.of(config);
  }

  /** The general endpoint is a base; that of traces is used as it is. */
  private URI endpoint() {
    URI base = reader.value(TracingSettings.OTEL_EXPORTER_OTLP_ENDPOINT);
    String text = base.toString();
    return reader
        .optional(TracingSettings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
        .orElseGet(() -> URI.create(text + (text.endsWith("/") ? "" : "/") + PATH));
  }
}
