package dev.queenmq.server.sidecar.figures;

import dev.queenmq.server.broker.SidecarFigures.RequestFigures;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * How long the requests of clients took, and how much was in them. Unlike in the statistics of a
 * lane, a poll counts once however often the store was asked on its behalf, and its wait is
 * included. Safe for use by several threads.
 */
public final class RequestTimes {
  public enum Kind {
    PUSH,
    POP,
    ACK,
    TRANSACTION,
    RENEW;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Book(Histogram micros, Histogram items) {}

  private final Map<Kind, Book> books = new EnumMap<>(Kind.class);
  private final LongSupplier nanoTime;

  public RequestTimes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    for (Kind kind : Kind.values()) {
      books.put(kind, new Book(new Histogram(Histogram.LATENCIES), new Histogram(Histogram.SIZES)));
    }
  }

  /** Writes it down when it is answered, also with an error, which has nothing in it. */
  public <T> Future<T> of(Kind kind, Future<T> answer, ToLongFunction<T> items) {
    long since = nanoTime.getAsLong();
    Book book = book(kind);
    return answer.onComplete(
        done -> {
          book.micros.add((nanoTime.getAsLong() - since) / 1_000);
          book.items.add(done.succeeded() ? items.applyAsLong(done.result()) : 0);
        });
  }

  private Book book(Kind kind) {
    Book book = books.get(kind);
    if (book == null) {
      throw new IllegalStateException("no book of " + kind);
    }
    return book;
  }

  public List<RequestFigures> figures() {
    return Arrays.stream(Kind.values())
        .map(
            kind ->
                new RequestFigures(
                    kind.text(), book(kind).micros.distribution(), book(kind).items.distribution()))
        .toList();
  }
}
