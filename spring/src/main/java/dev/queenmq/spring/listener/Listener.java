package dev.queenmq.spring.listener;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.queenmq.client.ConsumerBuilder;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.StartAt;
import dev.queenmq.spring.QueenErrorHandler;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A listener before it runs.
 *
 * @param id how it is called in logs
 * @param queue the queue
 * @param partition one partition of it, null for all
 * @param settings how it consumes
 * @param method what it calls
 * @param errors is asked for the error handler when the listener starts: its bean may need the
 *     listener's
 */
record Listener(
    String id,
    String queue,
    @Nullable String partition,
    ListenerSettings settings,
    ListenerMethod method,
    Supplier<QueenErrorHandler> errors) {

  /** Starts a consumer. */
  QueenConsumer start(QueenClient client) {
    ListenerCall call = new ListenerCall(id, method, errors.get());
    ConsumerBuilder<Object> consumer = source(client).consumer(type(method.payload()));
    consumer
        .concurrency(settings.concurrency())
        .batch(settings.batch())
        .partitionsPerPop(settings.partitionsPerPop())
        .longPoll(settings.longPoll())
        .renewLeasesFor(settings.renewLeasesFor())
        .backOff(settings.firstPause(), settings.longestPause());
    StartAt start = settings.start();
    if (start != null) {
      consumer.startAt(start);
    }
    if (method.isBatch()) {
      return consumer.startBatches(call::handle);
    }
    if (method.isAsync()) {
      return consumer.startAsync(call::handleAsync);
    }
    return consumer.start(message -> call.handle(List.of(message)));
  }

  private QueueRef source(QueenClient client) {
    QueueRef source = client.queue(queue);
    if (settings.group() != null && !settings.group().isBlank()) {
      source = source.group(settings.group());
    }
    return partition == null ? source : source.partition(partition);
  }

  private static TypeReference<Object> type(Type type) {
    return new TypeReference<>() {
      @Override
      public Type getType() {
        return type;
      }
    };
  }
}
