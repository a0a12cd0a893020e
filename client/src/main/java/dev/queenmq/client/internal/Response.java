package dev.queenmq.client.internal;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.queenmq.client.PayloadException;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.util.Optional;

/** An answer with a status of 2xx; all others are exceptions. */
public final class Response {
  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;

  Response(int status, HttpHeaders headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The HTTP status, 200 to 299. */
  public int status() {
    return status;
  }

  /** A header of the answer. */
  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  /** The body as it came; empty for a 204. The caller must not change it. */
  public byte[] bytes() {
    return body;
  }

  /** The body as a tree; {@link MissingNode} if there is none. */
  public JsonNode json() {
    if (body.length == 0) {
      return MissingNode.getInstance();
    }
    try {
      return Json.MAPPER.readTree(body);
    } catch (IOException e) {
      throw new PayloadException("the broker's answer is not JSON", e);
    }
  }

  /** The body as a record; unknown fields are ignored, times are {@link java.time.Instant}s. */
  public <T> T as(Class<T> type) {
    return as(Json.MAPPER.constructType(type));
  }

  /** The body as any type, see {@link Json#MAPPER}. */
  @SuppressWarnings("TypeParameterUnusedInFormals")
  public <T> T as(JavaType type) {
    try {
      return Json.MAPPER.readValue(body, type);
    } catch (IOException e) {
      throw new PayloadException("the broker's answer is not of type " + type, e);
    }
  }
}
