package dev.queenmq.server.http.json;

import dev.queenmq.server.text.ClosestName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names that an object of a body, or a query, may have. A name that is not among them but close
 * to one of them is a mistake of the client; any other is ignored, because clients send more than
 * the broker reads.
 *
 * <p>Codecs ask only about fields that they do not read, so known ones cost nothing.
 */
public final class KnownNames {
  private final String kind;
  private final List<String> names;
  private final Set<String> ignored;

  private KnownNames(String kind, List<String> names, Set<String> ignored) {
    this.kind = kind;
    this.names = names;
    this.ignored = ignored;
  }

  /** The fields of an object. */
  public static KnownNames fields(String... names) {
    return new KnownNames("field", List.of(names), Set.of());
  }

  /** The options of a queue. */
  public static KnownNames options(List<String> names) {
    return new KnownNames("option", names, Set.of());
  }

  /** The parameters of a query. */
  public static KnownNames parameters(String... names) {
    return new KnownNames("query parameter", List.of(names), Set.of());
  }

  /** The same, where clients may also send these, which have no effect. */
  public KnownNames ignoring(String... more) {
    return new KnownNames(kind, names, Set.of(more));
  }

  /** Rejects a name that is unknown and close to a known one. */
  public void check(String name) {
    if (ignored.contains(name)) {
      return;
    }
    Optional<String> meant = ClosestName.of(name, names);
    if (meant.isPresent()) {
      throw HttpProblem.badRequest(
          "unknown "
              + kind
              + " \""
              + Texts.oneLine(name)
              + "\", did you mean \""
              + meant.get()
              + "\"?");
    }
  }

  /** Passes over a field that is not read, unless it looks like a mistake. */
  public void skip(JsonInput in, String name) throws IOException {
    check(name);
    in.skip();
  }
}
