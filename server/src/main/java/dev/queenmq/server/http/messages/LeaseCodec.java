package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.json.WholeNumber;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The bodies of a lease extension. */
final class LeaseCodec {
  private static final int DEFAULT_SECONDS = 60;
  private static final KnownNames FIELDS = KnownNames.fields("seconds");

  private final JsonFactory factory;

  LeaseCodec(JsonFactory factory) {
    this.factory = factory;
  }

  /** For how long; nothing at all, an empty object and an empty array leave it to us. */
  Duration read(Body body) {
    int seconds = body.isBlank() ? DEFAULT_SECONDS : JsonInput.read(factory, body, this::seconds);
    return Duration.ofSeconds(seconds);
  }

  private int seconds(JsonInput in) throws IOException {
    if (in.isArray() || in.isNull()) {
      in.skip();
      return DEFAULT_SECONDS;
    }
    if (!in.isObject()) {
      throw HttpProblem.badRequest("The body must be an object");
    }
    int[] seconds = {DEFAULT_SECONDS};
    in.fields(
        (value, name) -> {
          if (!name.equals("seconds")) {
            FIELDS.skip(value, name);
          } else if (value.isNull()) {
            seconds[0] = DEFAULT_SECONDS;
          } else {
            seconds[0] = whole(value.scalar());
          }
        });
    if (seconds[0] < 0 || seconds[0] > OptionsDraft.MAX_LEASE_SECONDS) {
      throw HttpProblem.badRequest(
          "seconds must be a whole number between 0 and " + OptionsDraft.MAX_LEASE_SECONDS);
    }
    return seconds[0];
  }

  private static int whole(@Nullable String text) {
    Integer number = text == null ? null : WholeNumber.parse(text);
    return number == null ? -1 : number;
  }

  static Buffer renewed(String leaseId, Instant expiresAt) {
    return write(leaseId, null, Timestamps.millis(expiresAt));
  }

  static Buffer failed(String leaseId, String error) {
    return write(leaseId, error, null);
  }

  /** The expiry under each of the names that clients look for. */
  private static Buffer write(String leaseId, @Nullable String error, @Nullable String expiresAt) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", error == null);
          json.writeStringField("leaseId", Texts.whole(leaseId));
          json.writeStringField("error", error);
          json.writeStringField("expiresAt", expiresAt);
          json.writeStringField("newExpiresAt", expiresAt);
          json.writeStringField("lease_expires_at", expiresAt);
          json.writeNumberField("index", 0);
          json.writeEndObject();
        });
  }
}
