package dev.queenmq.client.admin.query;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param items the elements
 * @param total how long the whole list is; null if the broker does not count it
 * @param next where the next page begins; null if this is the last one. Brokers do not always know
 *     whether a full page is the last: then the next one may be empty
 * @param truncated whether the broker looked at a part of its data only, so that elements may be
 *     missing
 * @param <T> an element
 */
public record Page<T>(
    List<T> items, @Nullable Long total, @Nullable Paging next, boolean truncated) {

  /**
   * Copies the list.
   *
   * @param items the elements
   * @param total how long the whole list is; null if the broker does not count it
   * @param next where the next page begins; null if this is the last one
   * @param truncated whether elements may be missing
   */
  public Page {
    items = List.copyOf(items);
  }

  /**
   * How to ask for the next page, if there may be one.
   *
   * @return where it begins
   */
  public Optional<Paging> following() {
    return Optional.ofNullable(next);
  }

  /**
   * All elements of a list, page by page. Each page is asked for when the stream gets there, so a
   * list that changes meanwhile may show an element twice or not at all.
   *
   * <pre>{@code
   * Page.all(paging -> admin.queues().list(paging)).map(QueueSummary::name).forEach(...);
   * }</pre>
   *
   * @param ask for a page
   * @param <T> an element
   * @return the elements in their order
   */
  public static <T> Stream<T> all(Function<Paging, Page<T>> ask) {
    return all(Paging.first(), ask);
  }

  /**
   * The same from a given page on.
   *
   * @param first page; those that follow are as long
   * @param ask for a page
   * @param <T> an element
   * @return the elements in their order
   */
  public static <T> Stream<T> all(Paging first, Function<Paging, Page<T>> ask) {
    Iterable<T> elements = () -> new Elements<>(first, ask);
    return StreamSupport.stream(elements.spliterator(), false);
  }

  private static final class Elements<T> implements Iterator<T> {
    private final Function<Paging, Page<T>> ask;
    private @Nullable Paging next;
    private Iterator<T> page = List.<T>of().iterator();

    Elements(Paging first, Function<Paging, Page<T>> ask) {
      this.ask = ask;
      this.next = first;
    }

    @Override
    public boolean hasNext() {
      while (!page.hasNext() && next != null) {
        Page<T> answer = ask.apply(next);
        page = answer.items().iterator();
        // A page without elements ends the list whatever it says, or this would never end.
        next = answer.items().isEmpty() ? null : answer.next();
      }
      return page.hasNext();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.next();
    }
  }
}
