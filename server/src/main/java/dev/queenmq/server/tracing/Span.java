package dev.queenmq.server.tracing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Work that took time. Belongs to one event loop until it ends, and then to the exporter. */
final class Span {

  /** Who did the work, with the number of the protocol. */
  enum Kind {
    SERVER(2),
    CLIENT(3),
    PRODUCER(4);

    final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** More would make one span larger than a batch of others. */
  static final int MOST_LINKS = 128;

  private final SpanContext context;
  private final Optional<SpanContext> parent;
  private final Kind kind;
  private final Moment start;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final List<SpanContext> links = new ArrayList<>();
  private String name;
  private int linksLeftOut;
  private @Nullable String error;
  private long endEpochNanos;

  Span(SpanContext context, Optional<SpanContext> parent, Kind kind, String name, Moment start) {
    this.context = context;
    this.parent = parent;
    this.kind = kind;
    this.name = name;
    this.start = start;
  }

  SpanContext context() {
    return context;
  }

  Optional<SpanContext> parent() {
    return parent;
  }

  Kind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  Map<String, Object> attributes() {
    return attributes;
  }

  List<SpanContext> links() {
    return links;
  }

  int linksLeftOut() {
    return linksLeftOut;
  }

  @Nullable String error() {
    return error;
  }

  Moment start() {
    return start;
  }

  long endEpochNanos() {
    return endEpochNanos;
  }

  void rename(String better) {
    name = better;
  }

  void put(String key, String value) {
    attributes.put(key, value);
  }

  void put(String key, long value) {
    attributes.put(key, value);
  }

  /** Another span that led to this one, other than its parent. */
  void link(SpanContext other) {
    if (other.equals(context) || parent.filter(other::equals).isPresent()) {
      return;
    }
    if (links.size() >= MOST_LINKS) {
      linksLeftOut++;
    } else if (!links.contains(other)) {
      links.add(other);
    }
  }

  void failed(String type) {
    error = type;
    attributes.put("error.type", type);
  }

  void endAt(long epochNanos) {
    endEpochNanos = epochNanos;
  }
}
