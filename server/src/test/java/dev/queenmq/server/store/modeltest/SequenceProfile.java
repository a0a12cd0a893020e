package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.PopRequest;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a sequence is about, so that sequences differ from each other more than steps do.
 *
 * <p>In some the clock is set back now and then. A window of deduplication is then wrong by as
 * much, which is all that can be promised, so these sequences have none that ends.
 *
 * @param ids how many transaction ids are used again and again
 * @param crashes percent of pops whose consumer dies
 * @param options percent of steps that change options
 * @param clockSetBack whether time may go backwards
 * @param keepsUp whether most messages are popped and acked as soon as they are pushed
 */
record SequenceProfile(
    List<String> queues,
    List<String> partitions,
    List<String> groups,
    int ids,
    int crashes,
    int options,
    boolean clockSetBack,
    boolean keepsUp) {

  static SequenceProfile of(Dice dice) {
    List<String> groups = dice.shuffled(List.of("g", "h", PopRequest.QUEUE_MODE));
    return new SequenceProfile(
        dice.percent(75) ? List.of("a") : List.of("a", "b.c"),
        IntStream.range(0, dice.oneOf(1, 1, 2, 3, 4)).mapToObj(i -> "p" + i).toList(),
        groups.subList(0, dice.oneOf(1, 1, 2, 3)),
        dice.oneOf(3, 8, 30),
        dice.oneOf(0, 10, 40, 80),
        dice.oneOf(0, 3, 8),
        dice.percent(10),
        dice.percent(25));
  }
}
