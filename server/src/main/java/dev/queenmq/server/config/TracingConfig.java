package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.decimal;
import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;
import static dev.queenmq.server.config.Setting.text;

import dev.queenmq.server.config.values.Secret;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where spans go, and which.
 *
 * @param endpoint of the collector, for spans
 * @param headers of each request to it; may have tokens in them
 * @param timeout of such a request
 * @param resource what the spans say of this process
 * @param sampler by its standard name
 * @param ratio of traces that it keeps, if it is one that keeps a share
 * @param delay between two requests to the collector
 * @param maxQueue spans that may wait; more are dropped
 * @param maxBatch spans of one request to the collector
 */
public record TracingConfig(
    URI endpoint,
    Map<String, Secret> headers,
    Duration timeout,
    Map<String, String> resource,
    String sampler,
    double ratio,
    Duration delay,
    int maxQueue,
    int maxBatch) {
  private static final String PATH = "v1/traces";
  private static final String PROTOCOL = "http/json";
  private static final String SERVICE = "service.name";

  private static final Set<String> SAMPLERS =
      Set.of(
          "always_on",
          "always_off",
          "traceidratio",
          "parentbased_always_on",
          "parentbased_always_off",
          "parentbased_traceidratio");

  static final Setting<Boolean> OTEL_TRACES_EXPORTER =
      new Setting<>(
          "OTEL_TRACES_EXPORTER",
          "none",
          "`otlp` or `none`",
          "With `otlp` the broker sends [spans](monitoring.md#spans) of requests and of calls of"
              + " PostgreSQL to a collector. The other variables of this section have a meaning"
              + " only then.",
          text ->
              switch (text) {
                case "otlp" -> true;
                case "none" -> false;
                default -> throw new IllegalArgumentException("not a choice");
              });
  static final Setting<Boolean> OTEL_SDK_DISABLED =
      flag("OTEL_SDK_DISABLED", false, "With `true` the broker sends no spans.");
  static final Setting<URI> OTEL_EXPORTER_OTLP_ENDPOINT =
      url(
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "http://localhost:4318",
          "Base address of the collector. Spans go to `v1/traces` below it.");
  static final Setting<URI> OTEL_EXPORTER_OTLP_TRACES_ENDPOINT =
      url(
          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
          "",
          "Address for spans, used as it is, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`.");
  static final Setting<Map<String, String>> OTEL_EXPORTER_OTLP_HEADERS =
      pairs(
              "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
              "Headers of each request to the collector, for example a token.")
          .orNamed("OTEL_EXPORTER_OTLP_HEADERS");
  static final Setting<Duration> OTEL_EXPORTER_OTLP_TIMEOUT =
      millis(
              "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
              10_000,
              1,
              600_000,
              "How long a request to the collector may take, in milliseconds.")
          .orNamed("OTEL_EXPORTER_OTLP_TIMEOUT");
  static final Setting<String> OTEL_EXPORTER_OTLP_PROTOCOL =
      text(
              "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
              "http/json",
              "How spans are sent. The broker sends `http/json`, which every collector accepts"
                  + " where it accepts `http/protobuf`; with another value it does not start.")
          .orNamed("OTEL_EXPORTER_OTLP_PROTOCOL");
  static final Setting<String> OTEL_SERVICE_NAME =
      text("OTEL_SERVICE_NAME", "", "Name of the service in spans.").otherwise("`queen`");
  static final Setting<Map<String, String>> OTEL_RESOURCE_ATTRIBUTES =
      pairs("OTEL_RESOURCE_ATTRIBUTES", "What spans say of this process.");
  static final Setting<String> OTEL_TRACES_SAMPLER =
      new Setting<>(
          "OTEL_TRACES_SAMPLER",
          "parentbased_always_on",
          "`always_on`, `always_off`, `traceidratio`, or one of these with `parentbased_` before"
              + " it",
          "Which traces are kept. With `parentbased_` a request that comes with a `traceparent`"
              + " is kept if its caller keeps the trace.",
          text -> {
            if (SAMPLERS.contains(text)) {
              return text;
            }
            throw new IllegalArgumentException("not a choice");
          });
  static final Setting<Double> OTEL_TRACES_SAMPLER_ARG =
      decimal("OTEL_TRACES_SAMPLER_ARG", 1, 0, 1, "The share of traces that `traceidratio` keeps.");
  static final Setting<Duration> OTEL_BSP_SCHEDULE_DELAY =
      millis(
          "OTEL_BSP_SCHEDULE_DELAY",
          5_000,
          1,
          600_000,
          "Time between two requests to the collector, in milliseconds.");
  static final Setting<Integer> OTEL_BSP_MAX_QUEUE_SIZE =
      number(
          "OTEL_BSP_MAX_QUEUE_SIZE",
          2_048,
          1,
          1_000_000,
          "Spans that may wait for the collector. More are dropped, and a log line counts them.");
  static final Setting<Integer> OTEL_BSP_MAX_EXPORT_BATCH_SIZE =
      number(
          "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
          512,
          1,
          100_000,
          "Spans in a request to the collector.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "OpenTelemetry",
          List.of(
              OTEL_TRACES_EXPORTER,
              OTEL_SDK_DISABLED,
              OTEL_EXPORTER_OTLP_ENDPOINT,
              OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
              OTEL_EXPORTER_OTLP_HEADERS,
              OTEL_EXPORTER_OTLP_TIMEOUT,
              OTEL_EXPORTER_OTLP_PROTOCOL,
              OTEL_SERVICE_NAME,
              OTEL_RESOURCE_ATTRIBUTES,
              OTEL_TRACES_SAMPLER,
              OTEL_TRACES_SAMPLER_ARG,
              OTEL_BSP_SCHEDULE_DELAY,
              OTEL_BSP_MAX_QUEUE_SIZE,
              OTEL_BSP_MAX_EXPORT_BATCH_SIZE));

  /**
   * Empty unless spans are asked for: the variables of other programs in the same environment do
   * not count.
   */
  static Optional<TracingConfig> read(SettingsReader reader) {
    boolean wanted = reader.value(OTEL_TRACES_EXPORTER);
    URI endpoint = endpoint(reader);
    Map<String, String> resource =
        new LinkedHashMap<>(reader.optional(OTEL_RESOURCE_ATTRIBUTES).orElse(Map.of()));
    Optional<String> service = reader.optional(OTEL_SERVICE_NAME);
    service.ifPresent(name -> resource.put(SERVICE, name));
    resource.putIfAbsent(SERVICE, "queen");
    Map<String, Secret> headers = new LinkedHashMap<>();
    reader
        .optional(OTEL_EXPORTER_OTLP_HEADERS)
        .orElse(Map.of())
        .forEach((name, value) -> headers.put(name, new Secret(value)));
    TracingConfig config =
        new TracingConfig(
            endpoint,
            Map.copyOf(headers),
            reader.value(OTEL_EXPORTER_OTLP_TIMEOUT),
            Map.copyOf(resource),
            reader.value(OTEL_TRACES_SAMPLER),
            reader.value(OTEL_TRACES_SAMPLER_ARG),
            reader.value(OTEL_BSP_SCHEDULE_DELAY),
            reader.value(OTEL_BSP_MAX_QUEUE_SIZE),
            reader.value(OTEL_BSP_MAX_EXPORT_BATCH_SIZE));
    if (!wanted || reader.value(OTEL_SDK_DISABLED)) {
      return Optional.empty();
    }
    String protocol = reader.value(OTEL_EXPORTER_OTLP_PROTOCOL);
    if (!protocol.equals(PROTOCOL)) {
      reader.mistake(
          "OTEL_EXPORTER_OTLP_PROTOCOL is '%s', but the broker sends spans by %s alone"
              .formatted(protocol, PROTOCOL));
    }
    return Optional.of(config);
  }

  /** The general endpoint is a base; that of traces is used as it is. */
  private static URI endpoint(SettingsReader reader) {
    URI base = reader.value(OTEL_EXPORTER_OTLP_ENDPOINT);
    String text = base.toString();
    return reader
        .optional(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
        .orElseGet(() -> URI.create(text + (text.endsWith("/") ? "" : "/") + PATH));
  }

  private static Setting<URI> url(String name, String fallback, String meaning) {
    return new Setting<>(
        name,
        fallback,
        "a URL with http or https",
        meaning,
        text -> {
          URI address = URI.create(text);
          if (address.getHost() != null
              && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))) {
            return address;
          }
          throw new IllegalArgumentException("not such a URL");
        });
  }

  private static Setting<Map<String, String>> pairs(String name, String meaning) {
    return new Setting<>(
        name, "", "pairs `key=value`, with commas between them", meaning, TracingConfig::pairs);
  }

  /** Percent-encoded, as the standard has it. */
  private static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int sign = pair.indexOf('=');
      if (sign < 1) {
        throw new IllegalArgumentException("not a pair");
      }
      // A plus is a plus, and not a space as in forms.
      String value = pair.substring(sign + 1).strip().replace("+", "%2B");
      pairs.put(pair.substring(0, sign).strip(), URLDecoder.decode(value, StandardCharsets.UTF_8));
    }
    return pairs;
  }
}
