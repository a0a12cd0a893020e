package dev.queenmq.server.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the body of a request, value by value, without building anything from it. A reader
 * must consume all of the value that it is given.
 */
public final class JsonInput {
  private static final int MARK = 3;

  private final byte[] bytes;
  private final int base;
  private final JsonParser parser;
  private int rawBytes;

  private JsonInput(byte[] bytes, int base, JsonParser parser) {
    this.bytes = bytes;
    this.base = base;
    this.parser = parser;
  }

  /** Reads the one value of a body. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(JsonInput in) throws IOException;
  }

  /** Reads an element or the value of a field. */
  @FunctionalInterface
  public interface Visitor {
    void visit(JsonInput in) throws IOException;
  }

  /** Reads a field by its name. */
  @FunctionalInterface
  public interface FieldVisitor {
    void visit(JsonInput in, String name) throws IOException;
  }

  /** A factory of parsers under limits. Only the depth of a body is limited; its size is before. */
  public static JsonFactory factory(int maxDepth) {
    JsonFactoryBuilder rules =
        new JsonFactoryBuilder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(maxDepth)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            // Names in payloads are unbounded.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    return new BodyParsers(rules);
  }

  /** Reads a body to its end; what is not JSON is the client's mistake. */
  public static <T> T read(JsonFactory factory, Body body, Reader<T> reader) {
    byte[] bytes = body.bytes();
    if (!Utf8.isValid(bytes, body.length())) {
      throw HttpProblem.badRequest("Invalid JSON: not UTF-8");
    }
    int base = isMark(body, 0) ? MARK : 0;
    if (base > 0 && isMark(body, base)) {
      // The parser would skip it too, though it is no white space of JSON.
      throw HttpProblem.badRequest("Invalid JSON: more than one byte order mark");
    }
    // The parser would take zeros at the start for another encoding.
    for (int i = base; i < Math.min(body.length(), base + 4); i++) {
      if (bytes[i] == 0) {
        throw HttpProblem.badRequest("Invalid JSON: not UTF-8");
      }
    }
    try (JsonParser parser = factory.createParser(bytes, base, body.length() - base)) {
      if (parser.nextToken() == null) {
        throw HttpProblem.badRequest("Empty request body");
      }
      T value = reader.read(new JsonInput(bytes, base, parser));
      if (parser.nextToken() != null) {
        throw HttpProblem.badRequest("Invalid JSON: more than one value");
      }
      return value;
    } catch (StreamConstraintsException e) {
      throw HttpProblem.badRequest(constraint(factory, e));
    } catch (JsonProcessingException e) {
      throw HttpProblem.badRequest("Invalid JSON: " + describe(e));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen: read from memory", e);
    }
  }

  public boolean isObject() {
    return parser.hasToken(JsonToken.START_OBJECT);
  }

  public boolean isArray() {
    return parser.hasToken(JsonToken.START_ARRAY);
  }

  boolean isText() {
    return parser.hasToken(JsonToken.VALUE_STRING);
  }

  public boolean isNull() {
    return parser.hasToken(JsonToken.VALUE_NULL);
  }

  /** The text of the value, if that is a string or a number. */
  @Nullable
  public String scalar() throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_STRING || (token != null && token.isNumeric())) {
      return parser.getText();
    }
    skip();
    return null;
  }

  @Nullable
  public Boolean bool() throws IOException {
    JsonToken token = parser.currentToken();
    if (token != null && token.isBoolean()) {
      return token == JsonToken.VALUE_TRUE;
    }
    skip();
    return null;
  }

  public TextField text() throws IOException {
    if (isText()) {
      return TextField.of(parser.getText());
    }
    boolean none = isNull();
    skip();
    return none ? TextField.NULL : TextField.OTHER;
  }

  /**
   * The text that the value is.
   *
   * @param recent those before it, if it may be one of them
   */
  String text(@Nullable RecentTexts recent) throws IOException {
    return recent == null
        ? parser.getText()
        : recent.of(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
  }

  /**
   * The value as a text.
   *
   * @param likely returned if it is the same text
   */
  public TextField text(TextField likely) throws IOException {
    if (!isText() || !likely.isText()) {
      return text();
    }
    char[] letters = parser.getTextCharacters();
    int start = parser.getTextOffset();
    int length = parser.getTextLength();
    return RecentTexts.isEqual(likely.value(), letters, start, length)
        ? likely
        : TextField.of(new String(letters, start, length));
  }

  /** The number, if the value is one. */
  public OptionalDouble number() throws IOException {
    JsonToken token = parser.currentToken();
    if (token != null && token.isNumeric()) {
      return OptionalDouble.of(Double.parseDouble(parser.getText()));
    }
    skip();
    return OptionalDouble.empty();
  }

  /** The value as it stands in the body, byte for byte. */
  public String raw() throws IOException {
    return raw(JsonInput::skip);
  }

  /** The same for a value that is also inspected while it is read. */
  public String raw(Visitor visitor) throws IOException {
    int start = base + (int) parser.currentTokenLocation().getByteOffset();
    visitor.visit(this);
    int end = base + (int) parser.currentLocation().getByteOffset();
    rawBytes = end - start;
    return new String(bytes, start, rawBytes, StandardCharsets.UTF_8);
  }

  /** How many bytes the last raw value has. */
  public int rawBytes() {
    return rawBytes;
  }

  /** Whether two values in JSON are the same but for white space and how letters are escaped. */
  public static boolean isSame(String a, String b) {
    if (a.equals(b)) {
      return true;
    }
    // Both were read within the limits of the body.
    JsonFactory factory = factory(Integer.MAX_VALUE);
    try (JsonParser one = factory.createParser(a);
        JsonParser other = factory.createParser(b)) {
      JsonToken token = one.nextToken();
      while (token == other.nextToken()) {
        if (token == null) {
          return true;
        }
        if (!one.getText().equals(other.getText())) {
          return false;
        }
        token = one.nextToken();
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen: both were read before", e);
    }
  }

  public void skip() throws IOException {
    parser.skipChildren();
    parser.finishToken();
  }

  /** Goes through the fields of an object. */
  public void fields(FieldVisitor visitor) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      visitor.visit(this, name);
    }
  }

  /** Goes through the fields of an object, and passes over any other value. */
  public void fieldsOrSkip(FieldVisitor visitor) throws IOException {
    if (isObject()) {
      fields(visitor);
    } else {
      skip();
    }
  }

  /** Goes to the next element of an array, if there is one. */
  boolean nextElement() throws IOException {
    return parser.nextToken() != JsonToken.END_ARRAY;
  }

  /** Goes through the elements of an array. */
  public void elements(Visitor visitor) throws IOException {
    while (nextElement()) {
      visitor.visit(this);
    }
  }

  private static boolean isMark(Body body, int at) {
    byte[] bytes = body.bytes();
    return body.length() >= at + MARK
        && bytes[at] == (byte) 0xef
        && bytes[at + 1] == (byte) 0xbb
        && bytes[at + 2] == (byte) 0xbf;
  }

  private static String constraint(JsonFactory factory, StreamConstraintsException e) {
    return e.getOriginalMessage().contains("nesting depth")
        ? "JSON is nested deeper than the limit of "
            + factory.streamReadConstraints().getMaxNestingDepth()
            + " levels"
        : "Invalid JSON: " + describe(e);
  }

  /** What is wrong and where. The words of the parser are about its own settings and classes. */
  private static String describe(JsonProcessingException e) {
    return (e instanceof JsonEOFException ? "unexpected end" : "unexpected character")
        + (e.getLocation() == null ? "" : " at byte " + e.getLocation().getByteOffset());
  }
}
