package dev.queenmq.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeckTest {
  private static final List<Fault> FAULTS = List.of(fault("a"), fault("b"), fault("c"), fault("d"));

  DeckTest() {}

  @Test
  void seed_givesTheSameOrderAndLengths() {
    assertThat(cards(new Deck(FAULTS, 7), 20)).isEqualTo(cards(new Deck(FAULTS, 7), 20));
    assertThat(cards(new Deck(FAULTS, 7), 20)).isNotEqualTo(cards(new Deck(FAULTS, 8), 20));
  }

  @Test
  void faults_comeEquallyOften() {
    Deck deck = new Deck(FAULTS, 1);
    for (int round = 0; round < 5; round++) {
      assertThat(IntStream.range(0, 4).mapToObj(i -> deck.next().fault().name()))
          .containsExactlyInAnyOrder("a", "b", "c", "d");
    }
  }

  private static List<String> cards(Deck deck, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> deck.next())
        .map(card -> card.fault().name() + " " + card.fault().length(card.random()))
        .toList();
  }

  private static Fault fault(String name) {
    return Fault.of(name, name, 1, 9, random -> () -> {});
  }
}
