package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashRingTest {
  private static final List<URI> THREE =
      List.of(URI.create("http://a:1"), URI.create("http://b:2"), URI.create("http://c:3"));

  @Test
  void hash_isFnv1a() {
    // Published values of the 32 bit variant.
    assertThat(HashRing.hash("")).isEqualTo(0x811c9dc5L);
    assertThat(HashRing.hash("a")).isEqualTo(0xe40c292cL);
    assertThat(HashRing.hash("foobar")).isEqualTo(0xbf9cf968L);
  }

  @Test
  void order_namesEachServerOnce_andAlwaysTheSame() {
    HashRing ring = new HashRing(THREE);

    assertThat(ring.order("orders:c-1:*")).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(ring.order("orders:c-1:*")).isEqualTo(new HashRing(THREE).order("orders:c-1:*"));
  }

  @Test
  void order_spreadsKeys() {
    HashRing ring = new HashRing(THREE);
    Map<Integer, Integer> counts = new HashMap<>();
    IntStream.range(0, 9_000)
        .forEach(i -> counts.merge(ring.order("orders:c-" + i + ":*").get(0), 1, Integer::sum));

    assertThat(counts.values()).allMatch(count -> count > 1_500);
  }

  @Test
  void order_movesOnlyTheKeysOfALostServer() {
    HashRing three = new HashRing(THREE);
    HashRing two = new HashRing(THREE.subList(0, 2));

    for (int i = 0; i < 1_000; i++) {
      String key = "orders:c-" + i + ":*";
      int before = three.order(key).get(0);
      if (before != 2) {
        assertThat(two.order(key).get(0)).isEqualTo(before);
      }
    }
  }
}
