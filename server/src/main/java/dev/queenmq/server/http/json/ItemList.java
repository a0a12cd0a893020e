package dev.queenmq.server.http.json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads arrays of a body, as long as they may be. */
public final class ItemList {
  private final int limit;

  public ItemList(int limit) {
    this.limit = limit;
  }

  /** Reads the array that is at hand, element by element. */
  public <T> List<T> read(JsonInput in, JsonInput.Reader<T> element, String name)
      throws IOException {
    List<T> items = new ArrayList<>();
    each(in, value -> items.add(element.read(value)), name);
    return items;
  }

  /** Goes through the array that is at hand, element by element. */
  public void each(JsonInput in, JsonInput.Visitor element, String name) throws IOException {
    int count = 0;
    while (in.nextElement()) {
      if (count++ == limit) {
        throw tooMany(name);
      }
      element.visit(in);
    }
  }

  /** For lists that only become long once they are put together. */
  public void check(int size, String name) {
    if (size > limit) {
      throw tooMany(name);
    }
  }

  private HttpProblem tooMany(String name) {
    return HttpProblem.badRequest(name + " has more than the limit of " + limit + " elements");
  }
}
