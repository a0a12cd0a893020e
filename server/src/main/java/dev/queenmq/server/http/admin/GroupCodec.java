package dev.queenmq.server.http.admin;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.model.admin.Seek;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bodies of requests about a consumer group. */
public final class GroupCodec {
  private static final KnownNames SUBSCRIPTION = KnownNames.fields("subscriptionTimestamp");
  private static final KnownNames SEEK = KnownNames.fields("toEnd", "timestamp");

  /** A moment, and how the client wrote it. */
  public record Moment(String text, Instant instant) {}

  private final JsonFactory factory;

  public GroupCodec(JsonFactory factory) {
    this.factory = factory;
  }

  /** Where a group is to start. */
  public Moment subscription(Body body) {
    TextField given =
        JsonInput.read(
            factory,
            body,
            in -> {
              TextField[] moment = {TextField.ABSENT};
              object(in)
                  .fields(
                      (value, name) -> {
                        if (name.equals("subscriptionTimestamp")) {
                          moment[0] = value.text();
                        } else {
                          SUBSCRIPTION.skip(value, name);
                        }
                      });
              return moment[0];
            });
    String text = given.orElse("subscriptionTimestamp", "");
    if (text.isEmpty()) {
      throw HttpProblem.badRequest("Missing subscriptionTimestamp in request body");
    }
    return new Moment(text, instant("subscriptionTimestamp", text));
  }

  /** Where to move a group on a queue. */
  public Seek.Position seek(Body body) {
    return position(body)
        .orElseThrow(
            () -> HttpProblem.badRequest("Must specify either 'toEnd': true or 'timestamp'"));
  }

  /** Where to move it in one partition: to the end, if nothing else is said. */
  public Seek.Position seekPartition(Body body) {
    return body.isBlank()
        ? new Seek.Position.End()
        : position(body).orElse(new Seek.Position.End());
  }

  private Optional<Seek.Position> position(Body body) {
    SeekDraft draft = JsonInput.read(factory, body, GroupCodec::draft);
    String text = draft.timestamp.orElse("timestamp", "");
    if (draft.toEnd && !text.isEmpty()) {
      throw HttpProblem.badRequest("Must specify either 'toEnd': true or 'timestamp', not both");
    }
    if (draft.toEnd) {
      return Optional.of(new Seek.Position.End());
    }
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(new Seek.Position.After(instant("timestamp", text)));
  }

  private static SeekDraft draft(JsonInput in) throws IOException {
    SeekDraft draft = new SeekDraft();
    if (in.isNull()) {
      in.skip();
      return draft;
    }
    object(in)
        .fields(
            (value, name) -> {
              switch (name) {
                case "toEnd" -> draft.toEnd = flag(value, name);
                case "timestamp" -> draft.timestamp = value.text();
                default -> SEEK.skip(value, name);
              }
            });
    return draft;
  }

  private static boolean flag(JsonInput value, String name) throws IOException {
    if (value.isNull()) {
      value.skip();
      return false;
    }
    Boolean flag = value.bool();
    if (flag == null) {
      throw HttpProblem.badRequest(name + " must be true or false");
    }
    return flag;
  }

  private static JsonInput object(JsonInput in) {
    if (!in.isObject()) {
      throw HttpProblem.badRequest("The body must be an object");
    }
    return in;
  }

  private static Instant instant(String what, String text) {
    @Nullable Instant moment = Timestamps.parse(text);
    if (moment == null) {
      throw HttpProblem.badRequest(what + " must be an ISO 8601 timestamp");
    }
    return moment;
  }

  private static final class SeekDraft {
    boolean toEnd;
    TextField timestamp = TextField.ABSENT;
  }
}
