package dev.queenmq.client.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.opentelemetry.QueenTracing;
import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.TestBroker;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BrokerExtension.class)
class QueenTracingIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final String name = "tracing-" + UUID.randomUUID();
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  private final Tracer tracer = telemetry.getTracer("test");

  @AfterEach
  void close() {
    telemetry.close();
  }

  private QueenClient client(TestBroker broker) {
    return QueenClient.builder().url(broker.url()).tracing(new QueenTracing(telemetry)).build();
  }

  @Test
  void aHandler_worksInAChildOfTheSpanThatPushed(TestBroker broker) {
    Span parent = tracer.spanBuilder("checkout").startSpan();
    try (QueenClient client = client(broker)) {
      try (Scope current = parent.makeCurrent()) {
        assertThat(current).isNotNull();
        client.queue(name).partition("p").push(1);
      }
      try (QueenConsumer consumer =
          client
              .queue(name)
              .group("g")
              .consume(
                  Integer.class,
                  message -> {
                    tracer.spanBuilder("inside").startSpan().end();
                    if (message.attempt() == 1) {
                      throw new IllegalStateException("not yet");
                    }
                  })) {
        Awaitility.await().atMost(PATIENCE).until(() -> processed().size() == 2);
        assertThat(consumer.isRunning()).isTrue();
      }
    }
    parent.end();

    SpanData failed = processed().get(0);
    assertThat(failed.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(failed.getTraceId()).isEqualTo(parent.getSpanContext().getTraceId());
    assertThat(failed.getParentSpanId()).isEqualTo(parent.getSpanContext().getSpanId());
    assertThat(failed.getParentSpanContext().isRemote()).isTrue();
    assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(failed.getEvents()).hasSize(1);
    assertThat(attribute(failed, "messaging.system")).isEqualTo("queenmq");
    assertThat(attribute(failed, "messaging.destination.name")).isEqualTo(name);
    assertThat(attribute(failed, "messaging.destination.partition.id")).isEqualTo("p");
    assertThat(attribute(failed, "messaging.consumer.group.name")).isEqualTo("g");
    assertThat(attribute(failed, "error.type")).isEqualTo("java.lang.IllegalStateException");
    assertThat(processed().get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(spans("inside"))
        .extracting(SpanData::getParentSpanId)
        .containsExactlyElementsOf(processed().stream().map(SpanData::getSpanId).toList());
  }

  @Test
  void aBatch_isLinkedToTheSpansThatPushed(TestBroker broker) {
    Span one = tracer.spanBuilder("one").startSpan();
    Span other = tracer.spanBuilder("other").startSpan();
    try (QueenClient client = client(broker)) {
      for (Span span : List.of(one, other)) {
        try (Scope current = span.makeCurrent()) {
          assertThat(current).isNotNull();
          client.queue(name).push(1);
        }
      }
      // The broker would have nowhere to put the span of this one.
      client.queue(name).push(OutgoingMessage.of(2).withTransactionId("mine"));
      try (QueenConsumer consumer =
          client.queue(name).consumer(Integer.class).startBatches(messages -> {})) {
        Awaitility.await().atMost(PATIENCE).until(() -> !processed().isEmpty());
        assertThat(consumer.isRunning()).isTrue();
      }
    }
    one.end();
    other.end();

    SpanData batch = processed().get(0);
    assertThat(batch.getParentSpanContext().isValid()).isFalse();
    assertThat(batch.getLinks())
        .extracting(LinkData::getSpanContext)
        .extracting(context -> context.getSpanId())
        .containsExactly(one.getSpanContext().getSpanId(), other.getSpanContext().getSpanId());
    assertThat(batch.getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")))
        .isEqualTo(3);
  }

  private List<SpanData> processed() {
    return spans("process " + name);
  }

  private List<SpanData> spans(String called) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(called))
        .toList();
  }

  private static String attribute(SpanData span, String key) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(key)));
  }
}
