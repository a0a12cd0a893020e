package dev.queenmq.server.http.streams;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/** The bodies of a query's registration. */
public final class StreamQueryCodec {
  private static final KnownNames FIELDS =
      KnownNames.fields("name", "source_queue", "sink_queue", "config_hash", "reset");

  private final JsonFactory factory;

  public StreamQueryCodec(JsonFactory factory) {
    this.factory = factory;
  }

  public StreamQuery read(Body body) {
    Draft draft = JsonInput.read(factory, body, StreamQueryCodec::draft);
    String name = StreamFields.required(draft.name, "name");
    String source = StreamFields.required(draft.source, "source_queue");
    String hash = StreamFields.required(draft.hash, "config_hash");
    String sink = draft.sink.orElse("sink_queue", "");
    return new StreamQuery(
        Texts.name("name", name),
        Texts.queue("source_queue", source),
        sink.isEmpty() ? Optional.empty() : Optional.of(Texts.queue("sink_queue", sink)),
        Texts.id("config_hash", hash),
        draft.reset);
  }

  private static Draft draft(JsonInput in) throws IOException {
    Draft draft = new Draft();
    StreamFields.of(
        in,
        (value, name) -> {
          switch (name) {
            case "name" -> draft.name = value.text();
            case "source_queue" -> draft.source = value.text();
            case "sink_queue" -> draft.sink = value.text();
            case "config_hash" -> draft.hash = value.text();
            case "reset" -> draft.reset = StreamFields.flag(value, name, false);
            default -> FIELDS.skip(value, name);
          }
        });
    return draft;
  }

  static Buffer registered(StreamQuery query, StreamRegistration.Registered registered) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          JsonOutput.uuid(json, "query_id", registered.id());
          json.writeStringField("name", query.name());
          json.writeStringField("config_hash", query.configHash());
          json.writeBooleanField("fresh", registered.fresh());
          json.writeBooleanField("reset", registered.reset());
          json.writeEndObject();
        });
  }

  static Buffer mismatch(StreamQuery query, UUID id) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", false);
          JsonOutput.uuid(json, "query_id", id);
          json.writeStringField("name", query.name());
          json.writeStringField(
              "error",
              "config_hash mismatch: the query is registered with another one;"
                  + " register it with reset to replace it and to drop its state");
          json.writeEndObject();
        });
  }

  private static final class Draft {
    TextField name = TextField.ABSENT;
    TextField source = TextField.ABSENT;
    TextField sink = TextField.ABSENT;
    TextField hash = TextField.ABSENT;
    boolean reset;
  }
}
