package dev.queenmq.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final UUID TRACE_UUID = UUID.fromString("4bf92f35-77b3-4da6-a3ce-929d0e0e4736");

  @Test
  void header_isRead() {
    SpanContext context = SpanContext.parse("00-" + TRACE + "-00f067aa0ba902b7-01").orElseThrow();

    assertThat(context.traceText()).isEqualTo(TRACE);
    assertThat(context.spanText()).isEqualTo("00f067aa0ba902b7");
    assertThat(context.sampled()).isTrue();
    assertThat(context.traceUuid()).isEqualTo(TRACE_UUID);
  }

  @Test
  void flagsAndLaterVersions_areUnderstood() {
    assertThat(SpanContext.parse("00-" + TRACE + "-00f067aa0ba902b7-02").orElseThrow().sampled())
        .isFalse();
    assertThat(SpanContext.parse("cc-" + TRACE + "-00f067aa0ba902b7-03-more").orElseThrow())
        .isEqualTo(SpanContext.parse("00-" + TRACE + "-00f067aa0ba902b7-01").orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      })
  void headerThatIsNone_isIgnored(String header) {
    assertThat(SpanContext.parse(header)).isEmpty();
  }

  @Test
  void message_namesTheSpanOfItsProducer_orTheOneThatTookIt() {
    UUID id = new UUID(7, 0x8000_0000_0000_0009L);

    assertThat(SpanContext.ofMessage(TRACE_UUID, "t~00f067aa0ba902b7-01", id))
        .isEqualTo(SpanContext.parse("00-" + TRACE + "-00f067aa0ba902b7-01"));
    assertThat(SpanContext.ofMessage(TRACE_UUID, "t~x", id))
        .isEqualTo(SpanContext.parse("00-" + TRACE + "-8000000000000009-01"));
    assertThat(SpanContext.ofMessage(null, "t~00f067aa0ba902b7-01", id)).isEmpty();
  }

  @Test
  void sampler_followsTheCallerOrTheTraceId() {
    Optional<SpanContext> kept = SpanContext.parse("00-" + TRACE + "-00f067aa0ba902b7-01");
    Optional<SpanContext> dropped = SpanContext.parse("00-" + TRACE + "-00f067aa0ba902b7-00");
    Sampler half = Sampler.named("parentbased_traceidratio", 0.5);

    assertThat(half.keeps(kept, Long.MAX_VALUE)).isTrue();
    assertThat(half.keeps(dropped, 0)).isFalse();
    assertThat(half.keeps(Optional.empty(), 1)).isTrue();
    assertThat(half.keeps(Optional.empty(), Long.MAX_VALUE)).isFalse();
    assertThat(Sampler.named("always_on", 0).keeps(dropped, Long.MAX_VALUE)).isTrue();
    assertThat(Sampler.named("always_off", 1).keeps(kept, 0)).isFalse();
  }
}
