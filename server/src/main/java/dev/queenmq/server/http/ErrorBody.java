package dev.queenmq.server.http;

import io.vertx.core.buffer.Buffer;

/** The body of an answer that tells of an error. */
final class ErrorBody {

  private ErrorBody() {}

  static Buffer of(String text) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeStringField("error", Texts.whole(text));
          json.writeEndObject();
        });
  }
}
