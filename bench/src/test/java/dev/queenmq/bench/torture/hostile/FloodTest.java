package dev.queenmq.bench.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FloodTest {
  private static final int REQUESTS = 200;

  private final Tokens tokens = Tokens.create();

  FloodTest() {}

  @Test
  void queues_haveANewNameEachTime() {
    Flood flood = Flood.queues("f-", "good");
    Set<String> requests = requests(flood);

    assertThat(requests).hasSize(2 * REQUESTS);
    assertThat(requests)
        .allMatch(request -> request.contains("\r\nAuthorization: Bearer good\r\n"));
    assertThat(requests).anyMatch(request -> request.startsWith("POST /api/v1/push "));
    assertThat(requests).anyMatch(request -> request.startsWith("GET /api/v1/pop/queue/f-1-"));
    assertThat(flood.mayBe(409)).isTrue();
    assertThat(flood.mayBe(503)).isTrue();
    assertThat(flood.mayBe(500)).isFalse();
  }

  @Test
  void groups_haveANewNameEachTime() {
    Set<String> requests = requests(Flood.groups("f-", "a queue", "good"));

    assertThat(requests).hasSize(2 * REQUESTS);
    assertThat(requests)
        .allMatch(
            request -> request.startsWith("GET /api/v1/pop/queue/a%20queue?consumerGroup=f-"));
  }

  @Test
  void tokens_areNewEachTime_andNeverTaken() {
    Flood flood = Flood.tokens("f-", tokens, 7);

    assertThat(requests(flood)).hasSize(2 * REQUESTS);
    assertThat(flood.mayBe(401)).isTrue();
    assertThat(flood.mayBe(200)).isFalse();
    assertThat(flood.mayBe(500)).isFalse();
  }

  @Test
  void badTokens_areNotTheGoodOne() {
    Random random = new Random(7);
    String good = tokens.of("me", "admin");

    assertThat(good.split("\\.", -1)).hasSize(3);
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(tokens.bad(random)).isNotEqualTo(good).doesNotContainAnyWhitespaces();
    }
  }

  /** Of two clients. */
  private static Set<String> requests(Flood flood) {
    Set<String> requests = new HashSet<>();
    for (int i = 0; i < REQUESTS; i++) {
      requests.add(flood.request(0, i));
      requests.add(flood.request(1, i));
    }
    return requests;
  }
}
