package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceContextTest {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void aTraceparent_survivesTheWayThroughTheFieldsOfAMessage() {
    TraceContext sent = TraceContext.parse(TRACEPARENT).orElseThrow();
    OutgoingMessage message = OutgoingMessage.of("x").withTrace(sent);

    assertThat(message.traceId()).hasToString("4bf92f35-77b3-4da6-a3ce-929d0e0e4736");
    assertThat(TraceContext.of(String.valueOf(message.traceId()), message.transactionId()))
        .map(TraceContext::toTraceparent)
        .contains(TRACEPARENT);
  }

  @Test
  void anIdOfTheUser_isLeftAlone() {
    TraceContext sent = TraceContext.parse(TRACEPARENT).orElseThrow();
    OutgoingMessage message = OutgoingMessage.of("x").withTransactionId("order-17").withTrace(sent);

    assertThat(message.transactionId()).isEqualTo("order-17");
    assertThat(message.traceId()).isNotNull();
    assertThat(TraceContext.of(String.valueOf(message.traceId()), "order-17")).isEmpty();
  }

  @Test
  void parse_ignoresWhatIsNoTraceparent() {
    assertThat(TraceContext.parse(null)).isEmpty();
    assertThat(TraceContext.parse("00-xyz")).isEmpty();
  }
}
