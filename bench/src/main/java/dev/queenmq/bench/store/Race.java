package dev.queenmq.bench.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Lets contenders do the same work in turns, A B C, B C A, ..., so that whatever else the machine
 * does hits all of them alike.
 *
 * @param warmUps rounds that do not count
 * @param rounds rounds that do
 */
record Race(int warmUps, int rounds) {
  private static final long HIGHEST_MICROS = 60_000_000;

  /**
   * Runs it.
   *
   * @param work makes the pieces of work of one round
   * @param messagesPerPiece how many messages a piece is
   */
  <I> List<Series> run(
      List<? extends Contender<I>> contenders, Supplier<List<I>> work, int messagesPerPiece) {
    List<Series> series =
        contenders.stream()
            .map(
                contender ->
                    new Series(
                        contender.name(), new ArrayList<>(), new Histogram(HIGHEST_MICROS, 3)))
            .toList();
    for (int round = 0; round < warmUps + rounds; round++) {
      List<I> pieces = work.get();
      for (int turn = 0; turn < contenders.size(); turn++) {
        int who = (round + turn) % contenders.size();
        Contender<I> contender = contenders.get(who);
        contender.prepare(pieces);
        if (round < warmUps) {
          pieces.forEach(contender::run);
        } else {
          time(contender, pieces, messagesPerPiece, series.get(who));
        }
      }
    }
    return series;
  }

  private static <I> void time(
      Contender<I> contender, List<I> pieces, int messagesPerPiece, Series series) {
    long start = System.nanoTime();
    long last = start;
    for (I piece : pieces) {
      contender.run(piece);
      long now = System.nanoTime();
      series.latencies().recordValue(Math.min(HIGHEST_MICROS, (now - last) / 1000));
      last = now;
    }
    series.rates().add(pieces.size() * (double) messagesPerPiece * 1e9 / (last - start));
  }
}
