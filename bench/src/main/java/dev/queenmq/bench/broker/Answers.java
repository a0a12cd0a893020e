package dev.queenmq.bench.broker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads what we need of a broker's answers and skips the rest. Safe for any thread. */
public final class Answers {
  private static final JsonFactory JSON = new JsonFactory();

  /** Reads one field's value, of which the parser stands on the first token. */
  private interface FieldReader {
    void read(String field, JsonParser json) throws IOException;
  }

  private Answers() {}

  /** The messages of a pop; none if the answer was empty. */
  public static List<PopMessage> pop(Reply reply) {
    reply.orThrow();
    List<PopMessage> messages = new ArrayList<>();
    if (reply.body().length() > 0) {
      read(
          reply.body(),
          json ->
              object(
                  json,
                  (field, value) -> {
                    if (field.equals("messages") && value.currentToken() == JsonToken.START_ARRAY) {
                      while (value.nextToken() != JsonToken.END_ARRAY) {
                        messages.add(message(value));
                      }
                    } else {
                      value.skipChildren();
                    }
                  }));
    }
    return messages;
  }

  /** The results of a push, in the order of its items. */
  public static List<PushResult> push(Reply reply) {
    reply.orThrow();
    List<PushResult> results = new ArrayList<>();
    read(
        reply.body(),
        json -> {
          while (json.nextToken() == JsonToken.START_OBJECT) {
            Texts texts = new Texts("status", "message_id");
            object(json, texts);
            results.add(new PushResult(texts.of("status"), texts.of("message_id")));
          }
        });
    return results;
  }

  /** The results of acks, in their order. */
  public static List<AckResult> ack(Reply reply) {
    reply.orThrow();
    List<AckResult> results = new ArrayList<>();
    read(
        reply.body(),
        json -> {
          while (json.nextToken() == JsonToken.START_OBJECT) {
            Texts texts = new Texts("success", "dlq", "error");
            object(json, texts);
            results.add(
                new AckResult(
                    texts.of("success").equals("true"),
                    texts.of("dlq").equals("true"),
                    texts.of("error")));
          }
        });
    return results;
  }

  private static PopMessage message(JsonParser json) throws IOException {
    Texts texts = new Texts("id", "transactionId", "partition", "partitionId", "leaseId");
    long[] number = {-1};
    object(
        json,
        (field, value) -> {
          if (field.equals("data") && value.currentToken() == JsonToken.START_OBJECT) {
            number[0] = number(value);
          } else {
            texts.read(field, value);
          }
        });
    return new PopMessage(
        texts.of("id"),
        texts.of("transactionId"),
        texts.of("partition"),
        texts.of("partitionId"),
        texts.of("leaseId"),
        number[0]);
  }

  private static long number(JsonParser json) throws IOException {
    long[] number = {-1};
    object(
        json,
        (field, value) -> {
          if (field.equals(PopMessage.NUMBER)
              && value.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            number[0] = value.getLongValue();
          } else {
            value.skipChildren();
          }
        });
    return number[0];
  }

  private static void object(JsonParser json, FieldReader reader) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      reader.read(field, json);
    }
  }

  /** The text of some fields, empty where there is none. */
  private static final class Texts implements FieldReader {
    private final String[] fields;
    private final String[] values;

    Texts(String... fields) {
      this.fields = fields;
      values = new String[fields.length];
    }

    @Override
    public void read(String field, JsonParser json) throws IOException {
      for (int i = 0; i < fields.length; i++) {
        if (fields[i].equals(field)) {
          values[i] = json.currentToken() == JsonToken.VALUE_NULL ? "" : json.getValueAsString("");
        }
      }
      json.skipChildren();
    }

    String of(String field) {
      for (int i = 0; i < fields.length; i++) {
        if (fields[i].equals(field) && values[i] != null) {
          return values[i];
        }
      }
      return "";
    }
  }

  /** Reads with a parser that stands on the first token. */
  private interface Reading {
    void run(JsonParser json) throws IOException;
  }

  private static void read(Buffer body, Reading reading) {
    try (JsonParser json = JSON.createParser(body.getBytes())) {
      json.nextToken();
      reading.run(json);
    } catch (IOException e) {
      throw new UncheckedIOException("not the JSON of the contract: " + body, e);
    }
  }
}
