package dev.queenmq.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.queenmq.client.internal.JsonText;
import dev.queenmq.client.internal.Transport;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Payloads to bytes and back, by the client's mapper. */
final class Payloads {
  private static final Logger log = LoggerFactory.getLogger(Payloads.class);

  private final ObjectMapper mapper;

  Payloads(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  JavaType type(java.lang.reflect.Type type) {
    return mapper.constructType(type);
  }

  /** A payload as JSON. Bytes are returned as they are, and still belong to the application. */
  byte[] write(@Nullable Object payload) {
    if (payload instanceof byte[] raw) {
      if (!JsonText.isValue(raw)) {
        throw new PayloadException("the bytes of a payload must be one JSON value", null);
      }
      return raw;
    }
    try {
      return mapper.writeValueAsBytes(payload);
    } catch (JsonProcessingException e) {
      throw new PayloadException(
          "cannot write " + (payload == null ? "null" : payload.getClass().getName()) + " as JSON",
          e);
    }
  }

  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  <T> T read(byte[] json, JavaType type) {
    if (type.hasRawClass(byte[].class)) {
      return (T) json.clone();
    }
    try {
      if (type.hasRawClass(JsonNode.class)) {
        return (T) mapper.readTree(json);
      }
      return mapper.readValue(json, type);
    } catch (IOException e) {
      throw new PayloadException("a payload is not of type " + type.toCanonical() + at(e), e);
    }
  }

  /** Which field it is; what stands in it belongs in no log. */
  private static String at(IOException failure) {
    return failure instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
        ? ", at " + mapping.getPathReference()
        : "";
  }

  /** For traces, whose result is not awaited; returns whether it succeeded. */
  boolean logLostTrace(@Nullable Throwable failure) {
    if (failure != null) {
      log.warn("A trace could not be recorded: {}", Transport.unwrap(failure).toString());
    }
    return failure == null;
  }
}
