package dev.queenmq.client.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.PayloadException;
import dev.queenmq.client.QueenException;
import dev.queenmq.client.RejectedException;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.query.TimeRange;
import dev.queenmq.client.admin.queues.QueueFilter;
import dev.queenmq.client.internal.Json;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Response;
import dev.queenmq.client.internal.Transport;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends operators' requests and reads the answers. Safe for use by several threads. */
final class AdminCalls {
  private static final ObjectMapper MAPPER = mapper();

  private final Transport transport;

  AdminCalls(Transport transport) {
    this.transport = transport;
  }

  private static ObjectMapper mapper() {
    ObjectMapper mapper =
        Json.MAPPER
            .copy()
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
            .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE);
    // Older brokers leave fields out; records would have to deal with null in every list.
    JsonSetter.Value empty = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);
    mapper.configOverride(List.class).setSetterInfo(empty);
    mapper.configOverride(Map.class).setSetterInfo(empty);
    return mapper;
  }

  CompletableFuture<Response> send(Request request) {
    return transport.send(request);
  }

  <T> CompletableFuture<T> ask(Request request, Class<T> type) {
    return send(request).thenApply(response -> read(response, type));
  }

  <T extends @Nullable Object> CompletableFuture<T> ask(
      Request request, Function<JsonNode, T> read) {
    return send(request).thenApply(response -> read.apply(response.json()));
  }

  /** Empty if the broker says that it is not there. */
  <T> CompletableFuture<Optional<T>> find(Request request, Class<T> type) {
    return orElse(ask(request, type).thenApply(Optional::of), Optional.empty());
  }

  /** Another value if the broker says that something is not there. */
  static <T> CompletableFuture<T> orElse(CompletableFuture<T> answer, T missing) {
    return answer.exceptionally(
        thrown -> {
          RuntimeException cause = Transport.unwrap(thrown);
          if (cause instanceof RejectedException rejected && rejected.status() == 404) {
            return missing;
          }
          throw new CompletionException(cause);
        });
  }

  /** Whether the broker answers that all is well. */
  CompletableFuture<Boolean> succeeds(Request request) {
    return send(request)
        .thenApply(response -> true)
        .exceptionally(
            thrown -> {
              RuntimeException cause = Transport.unwrap(thrown);
              if (cause instanceof QueenException) {
                return false;
              }
              throw new CompletionException(cause);
            });
  }

  /**
   * A page of a list.
   *
   * @param list the field that it stands in
   */
  <T> CompletableFuture<Page<T>> page(Request request, Paging paging, String list, Class<T> type) {
    return send(paged(request, paging))
        .thenApply(
            response -> {
              JsonNode answer = response.json();
              List<T> items = list(answer.path(list), type);
              JsonNode total = answer.path("total");
              return new Page<>(
                  items,
                  total.isNumber() ? total.asLong() : null,
                  next(answer, paging, items.size()),
                  answer.path("truncated").asBoolean());
            });
  }

  /** Lists say in four ways whether they go on. */
  private static @Nullable Paging next(JsonNode answer, Paging asked, int items) {
    JsonNode pagination = answer.path("pagination");
    if (items == 0) {
      return null;
    }
    if (pagination.has("nextOffset")) {
      return new Paging(asked.limit(), pagination.path("nextOffset").asLong());
    }
    Paging behind = behind(asked, items);
    if (answer.has("hasMore")) {
      return answer.path("hasMore").asBoolean() ? behind : null;
    }
    if (answer.has("total")) {
      return behind.offset() < answer.path("total").asLong() ? behind : null;
    }
    int limit = pagination.path("limit").asInt(asked.limit());
    return limit > 0 && items >= limit ? behind : null;
  }

  /** The page behind one with this many elements. */
  static Paging behind(Paging asked, int items) {
    return new Paging(asked.limit(), asked.offset() + items);
  }

  /** With the limit that the broker takes if none is given. */
  static Paging atLeast(Paging paging, int usual) {
    return paging.limit() > 0 ? paging : new Paging(usual, paging.offset());
  }

  Request paged(Request request, Paging paging) {
    return request
        .withQuery("limit", paging.limit() > 0 ? paging.limit() : null)
        .withQuery("offset", paging.offset() > 0 ? paging.offset() : null);
  }

  static Request ranged(Request request, TimeRange range) {
    return request.withQuery("from", range.from()).withQuery("to", range.to());
  }

  static Request filtered(Request request, QueueFilter filter) {
    return request
        .withQuery("queue", filter.queue())
        .withQuery("namespace", filter.namespace())
        .withQuery("task", filter.task());
  }

  <T> List<T> list(JsonNode array, Class<T> type) {
    List<T> list = new ArrayList<>(array.size());
    for (JsonNode each : array) {
      try {
        list.add(MAPPER.treeToValue(each, type));
      } catch (IOException e) {
        throw unreadable(type, e);
      }
    }
    return list;
  }

  private static <T> T read(Response response, Class<T> type) {
    try {
      return MAPPER.readValue(response.bytes(), type);
    } catch (IOException e) {
      throw unreadable(type, e);
    }
  }

  private static PayloadException unreadable(Class<?> type, IOException e) {
    return new PayloadException("the broker's answer is not a " + type.getSimpleName(), e);
  }

  /** A time, or null where there is none. */
  @Nullable Instant instant(JsonNode text) {
    return text.isTextual() ? OffsetDateTime.parse(text.textValue()).toInstant() : null;
  }

  static @Nullable Void nothing(JsonNode answer) {
    return null;
  }

  ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** As JSON, without what is null. */
  JsonNode tree(Object value) {
    try {
      return MAPPER.valueToTree(value);
    } catch (IllegalArgumentException e) {
      throw new PayloadException("this cannot be written as JSON: " + e.getMessage(), e);
    }
  }
}
