package dev.queenmq.server.http.json;

import io.vertx.core.buffer.Buffer;

/** The body of an error response. */
public final class ErrorBody {

  private ErrorBody() {}

  public static Buffer of(String text) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeStringField("error", Texts.whole(text));
          json.writeEndObject();
        });
  }
}
