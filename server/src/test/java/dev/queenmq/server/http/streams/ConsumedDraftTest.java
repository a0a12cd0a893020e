package dev.queenmq.server.http.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.messages.Codecs;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ConsumedDraftTest {
  @Test
  void longErrors_areCut() {
    String json =
        """
        {"transactionId":"t","status":"failed","error":"%s"}"""
            .formatted("x".repeat(100_000));
    ConsumedDraft draft =
        JsonInput.read(
            Codecs.FACTORY,
            Codecs.body(json),
            in -> Objects.requireNonNull(ConsumedDraft.read(in)));

    assertThat(draft.consumed(true).failure().orElseThrow()).hasSize(Texts.MAX_ERROR);
  }
}
