package dev.queenmq.server.http.messages;

import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.model.IdempotencyKey;
import io.vertx.core.http.HttpServerRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the key under which a client sends a request that must happen once. */
final class IdempotencyKeys {
  static final String HEADER = "Idempotency-Key";
  private static final String FIELD = "idempotencyKey";

  private IdempotencyKeys() {}

  /**
   * The key of a request, if it has one.
   *
   * @param field what stands in the body, or empty
   * @param producer whose token was given: keys of different producers are different keys
   */
  static Optional<IdempotencyKey> read(
      HttpServerRequest request, Body body, String field, @Nullable String producer) {
    List<String> headers = request.headers().getAll(HEADER);
    if (headers.size() > 1) {
      throw HttpProblem.badRequest(HEADER + " is given more than once");
    }
    if (!headers.isEmpty() && headers.get(0).isBlank()) {
      throw HttpProblem.badRequest(HEADER + " must not be empty");
    }
    String header = headers.isEmpty() ? "" : headers.get(0).strip();
    if (!header.isEmpty() && !field.isEmpty() && !header.equals(field)) {
      throw HttpProblem.badRequest(HEADER + " and " + FIELD + " are not the same");
    }
    String key = header.isEmpty() ? field : header;
    if (key.isEmpty()) {
      return Optional.empty();
    }
    Texts.name(header.isEmpty() ? FIELD : HEADER, key);
    return Optional.of(new IdempotencyKey(producer == null ? "" : producer, key, digest(body)));
  }

  private static String digest(Body body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(body.bytes(), 0, body.length());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
