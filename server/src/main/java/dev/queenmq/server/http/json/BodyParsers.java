package dev.queenmq.server.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/**
 * Makes parsers of bodies. Safe for any thread.
 *
 * <p>A factory caches the names of fields, thousands of them, for its parsers, and a parser that
 * meets a new name copies the whole table. Where payloads use data as field names, that is every
 * request; so this factory starts over before there are many.
 */
final class BodyParsers extends JsonFactory {
  private static final long serialVersionUID = 1L;
  private static final int MOST_NAMES = 250;

  private final transient JsonFactoryBuilder rules;
  private transient volatile Names names;

  BodyParsers(JsonFactoryBuilder rules) {
    super(rules);
    this.rules = rules;
    names = new Names(rules);
  }

  @Override
  public JsonParser createParser(byte[] bytes, int offset, int length) throws IOException {
    Names known = names;
    if (known.size() > MOST_NAMES) {
      known = new Names(rules);
      names = known;
    }
    return known.createParser(bytes, offset, length);
  }

  /** A factory whose names can be counted. */
  private static final class Names extends JsonFactory {
    private static final long serialVersionUID = 1L;

    Names(JsonFactoryBuilder rules) {
      super(rules);
    }

    int size() {
      return _byteSymbolCanonicalizer.size();
    }
  }
}
