package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Iterator;
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
  /**
   * Runs it.
   *
   * @param work makes the pieces of work of one round
   * @param messagesPerPiece how many messages a piece is
   */
  List<Series> run(
      List<? extends Contender> contenders, Supplier<List<Batch>> work, int messagesPerPiece) {
    List<Series> series =
        contenders.stream()
            .map(contender -> new Series(contender.name(), new ArrayList<>(), new Histogram(3)))
            .toList();
    for (int round = 0; round < warmUps + rounds; round++) {
      List<Batch> pieces = work.get();
      for (int turn = 0; turn < contenders.size(); turn++) {
        int index = (round + turn) % contenders.size();
        Contender contender = contenders.get(index);
        contender.prepare(pieces);
        Histogram latencies = new Histogram(3);
        long nanos = Blocking.get(time(contender, pieces, latencies));
        if (round >= warmUps) {
          series.get(index).latencies().add(latencies);
          series.get(index).rates().add(pieces.size() * (double) messagesPerPiece * 1e9 / nanos);
        }
      }
    }
    return series;
  }

  /** Does the work, and waits. */
  static void untimed(Contender contender, List<Batch> pieces) {
    Blocking.get(time(contender, pieces, new Histogram(3)));
  }

  /**
   * One piece after the other, all on the contender's event loop: a thread that waited for each
   * would add two changes of threads to it.
   */
  private static Future<Long> time(Contender contender, List<Batch> pieces, Histogram latencies) {
    Promise<Long> done = Promise.promise();
    contender
        .on()
        .context()
        .runOnContext(
            go -> {
              long start = System.nanoTime();
              next(contender, pieces.iterator(), start, latencies)
                  .map(end -> end - start)
                  .onComplete(done);
            });
    return done.future();
  }

  private static Future<Long> next(
      Contender contender, Iterator<Batch> pieces, long last, Histogram latencies) {
    if (!pieces.hasNext()) {
      return Future.succeededFuture(last);
    }
    return contender
        .run(pieces.next())
        .compose(
            committed -> {
              long now = System.nanoTime();
              latencies.recordValue((now - last) / 1000);
              return next(contender, pieces, now, latencies);
            });
  }
}
