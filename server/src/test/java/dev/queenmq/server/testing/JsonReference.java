package dev.queenmq.server.testing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Another reader of JSON to compare with: Jackson's parser of characters, which shares next to
 * nothing with the one of bytes that the server uses.
 */
public final class JsonReference {
  private final JsonFactory factory;

  /** That reads this number of levels. */
  public JsonReference(int maxDepth) {
    factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(maxDepth)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();
  }

  /** What a text says if it is one value: equal for texts that say the same. */
  public Optional<String> value(String json) {
    StringBuilder value = new StringBuilder(json.length() + 16);
    char[] characters = json.toCharArray();
    try (JsonParser parser = factory.createParser(characters)) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return Optional.empty();
      }
      while (token != null) {
        append(value, parser, token);
        if (parser.getParsingContext().inRoot() && !token.isStructStart()) {
          return parser.nextToken() == null ? Optional.of(value.toString()) : Optional.empty();
        }
        token = parser.nextToken();
      }
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen: read from memory", e);
    }
  }

  /** Texts with their lengths, so that none can pass for two. */
  private static void append(StringBuilder value, JsonParser parser, JsonToken token)
      throws IOException {
    String text = parser.getText();
    value.append(token).append(' ').append(text.length()).append(' ').append(text).append('\n');
  }
}
