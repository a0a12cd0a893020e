package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.QueueSettings;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.Optional;

/** The bodies of configure. */
final class ConfigureCodec {
  /** The answer can be posted back as it is, with all its fields. */
  private static final KnownNames FIELDS =
      KnownNames.fields("queue", "namespace", "task", "options", "merge")
          .ignoring("configured", "partitionId", "queueId");

  private final JsonFactory factory;
  private final boolean encrypts;

  /**
   * A codec.
   *
   * @param encrypts whether queues may be encrypted
   */
  ConfigureCodec(JsonFactory factory, boolean encrypts) {
    this.factory = factory;
    this.encrypts = encrypts;
  }

  QueueConfiguration read(Body body) {
    Draft draft = JsonInput.read(factory, body, ConfigureCodec::draft);
    if (draft.queue.value().isEmpty()) {
      throw HttpProblem.badRequest("queue is required");
    }
    return new QueueConfiguration(
        Texts.queue("queue", draft.queue.value()),
        label("namespace", draft.namespace),
        label("task", draft.task),
        supported(draft.options.options()),
        draft.merge());
  }

  /** A client that asks for encryption must not get clear text silently. */
  private QueueOptions supported(QueueOptions options) {
    if (!encrypts && Boolean.TRUE.equals(options.encryptionEnabled())) {
      throw new HttpProblem(409, MissingKeyException.TEXT);
    }
    return options;
  }

  /** Absent leaves it as it is, an empty text takes it away. */
  private static Optional<String> label(String what, TextField field) {
    if (field.kind() == TextField.Kind.OTHER) {
      throw HttpProblem.badRequest(what + " must be a string");
    }
    return field.isAbsent() ? Optional.empty() : Optional.of(Texts.label(what, field.value()));
  }

  private static Draft draft(JsonInput in) throws IOException {
    Draft draft = new Draft();
    in.fieldsOrSkip(draft::field);
    return draft;
  }

  private static final class Draft {
    TextField queue = TextField.ABSENT;
    TextField namespace = TextField.ABSENT;
    TextField task = TextField.ABSENT;
    OptionsDraft options = new OptionsDraft();
    private Optional<Boolean> merge = Optional.of(false);

    void field(JsonInput in, String name) throws IOException {
      switch (name) {
        case "queue" -> queue = in.text();
        case "namespace" -> namespace = in.text();
        case "task" -> task = in.text();
        case "options" -> options = OptionsDraft.read(in);
        case "merge" -> merge = in.isNull() ? Optional.of(false) : Optional.ofNullable(in.bool());
        default -> FIELDS.skip(in, name);
      }
    }

    boolean merge() {
      return merge.orElseThrow(() -> HttpProblem.badRequest("merge must be true or false"));
    }
  }

  static Buffer write(QueueSettings settings) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("configured", true);
          json.writeStringField("queue", settings.queue());
          json.writeStringField("namespace", settings.namespace());
          json.writeStringField("task", settings.task());
          JsonOutput.uuid(json, "queueId", settings.queueId());
          JsonOutput.uuid(json, "partitionId", settings.defaultPartitionId());
          json.writeFieldName("options");
          OptionsDraft.write(json, settings.options());
          json.writeEndObject();
        });
  }
}
