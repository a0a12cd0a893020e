package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.ShownMessage;
import io.vertx.core.buffer.Buffer;

/** Writes messages around payloads that are JSON already and stay as they are. */
public final class SplicedJson {
  private SplicedJson() {}

  /** The message as an object, with its payload in a field of this name. */
  public static Buffer object(ShownMessage message, String payloadField) {
    Buffer fields = message.fields().toBuffer();
    return Buffer.buffer(fields.length() + message.payload().length() + payloadField.length() + 8)
        .appendBuffer(fields, 0, fields.length() - 1)
        .appendString(",\"" + payloadField + "\":")
        .appendString(message.payload())
        .appendString("}");
  }

  /** Messages as an array. */
  public static Buffer array(Iterable<ShownMessage> messages, String payloadField) {
    Buffer array = Buffer.buffer("[");
    for (ShownMessage message : messages) {
      if (array.length() > 1) {
        array.appendString(",");
      }
      array.appendBuffer(object(message, payloadField));
    }
    return array.appendString("]");
  }
}
