package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TraceContextTest {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void aTraceparent_survivesTheWayThroughTheFieldsOfAMessage() {
    TraceContext sent = TraceContext.parse(TRACEPARENT).orElseThrow();
    OutgoingMessage message = OutgoingMessage.of("x").inTrace(Optional.of(sent));

    assertThat(message.traceId()).hasToString("4bf92f35-77b3-4da6-a3ce-929d0e0e4736");
    assertThat(TraceContext.of(String.valueOf(message.traceId()), message.transactionId()))
        .map(TraceContext::toTraceparent)
        .contains(TRACEPARENT);
  }

  @Test
  void anIdOfTheUser_isLeftAlone() {
    TraceContext sent = TraceContext.parse(TRACEPARENT).orElseThrow();
    OutgoingMessage message =
        OutgoingMessage.of("x").withTransactionId("order-17").inTrace(Optional.of(sent));

    assertThat(message.transactionId()).isEqualTo("order-17");
    assertThat(message.traceId()).isNotNull();
    assertThat(TraceContext.of(String.valueOf(message.traceId()), "order-17")).isEmpty();
  }

  @Test
  void aMessageThatIsPushedAgain_keepsItsTransactionId_inAnotherSpan() {
    TraceContext first = TraceContext.parse(TRACEPARENT).orElseThrow();
    TraceContext later = new TraceContext(first.traceId(), "00f067aa0ba902b8", "01");
    OutgoingMessage message = OutgoingMessage.of("x");
    String pushed = message.inTrace(Optional.of(first)).transactionId();

    assertThat(message.inTrace(Optional.of(later)).transactionId()).isEqualTo(pushed);
    assertThat(message.inTrace(Optional.empty()).transactionId()).isEqualTo(pushed);
    assertThat(message.withPartition("p").inTrace(Optional.of(later)).transactionId())
        .isEqualTo(pushed);

    OutgoingMessage untraced = OutgoingMessage.of("y");
    String bare = untraced.inTrace(Optional.empty()).transactionId();
    assertThat(untraced.inTrace(Optional.of(later)).transactionId()).isEqualTo(bare);
  }

  @Test
  void parse_ignoresWhatIsNoTraceparent() {
    assertThat(TraceContext.parse(null)).isEmpty();
    assertThat(TraceContext.parse("00-xyz")).isEmpty();
  }
}
