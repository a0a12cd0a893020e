package dev.queenmq.server.store.queues;

import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.QueueSettings;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.push.PayloadEncryptor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates queues and sets their options: {@code configure_v1}. Encryption counts from the answer
 * on: it waits for the pushes that were under way, and touches no partition.
 */
public final class ConfigureProcedure {
  private static final String SQL =
      "select r.request, r.default_partition_id, (r.settings).*"
          + " from queen.configure_v1($1, $2) r";

  private static final String UNDER_WAY = "select queen.appends_under_way_v1()";
  private static final String BEGAN = "select queen.encryption_began_v1($1)";
  private static final long GLANCE_MILLIS = 5;

  /** A push is over long before. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private final StoreClient client;
  private final PayloadEncryptor encryptor;
  private final Context context;
  private final short shard;
  private final LongSupplier nanoTime;

  public ConfigureProcedure(
      StoreClient client,
      PayloadEncryptor encryptor,
      Context context,
      short shard,
      LongSupplier nanoTime) {
    this.client = client;
    this.encryptor = encryptor;
    this.context = context;
    this.shard = shard;
    this.nanoTime = nanoTime;
  }

  public Future<List<ConfigureOutcome>> configure(List<QueueConfiguration> configurations) {
    @Nullable ConfigureOutcome[] outcomes = new ConfigureOutcome[configurations.size()];
    List<Integer> sent = new ArrayList<>();
    JsonArray requests = new JsonArray();
    for (int i = 0; i < configurations.size(); i++) {
      QueueConfiguration configuration = configurations.get(i);
      Optional<Problem> problem = problem(configuration);
      if (problem.isPresent()) {
        outcomes[i] = new ConfigureOutcome.Rejected(problem.get());
      } else {
        sent.add(i);
        requests.add(request(configuration));
      }
    }
    if (sent.isEmpty()) {
      return Future.succeededFuture(Outcomes.complete(outcomes));
    }
    return client
        .call(SQL, Tuple.of(shard, requests))
        .recover(Failures::translate)
        .compose(
            rows -> {
              List<String> encrypted = new ArrayList<>();
              for (Row row : rows) {
                outcomes[sent.get(row.getInteger("request") - 1)] =
                    new ConfigureOutcome.Configured(settings(row));
                encryptor.found(row.getString("name"), row.getBoolean("encryption_enabled"));
                if (row.getBoolean("encryption_enabled")) {
                  encrypted.add(row.getString("name"));
                }
              }
              // Also if it was before: the call that switched it on may not have waited to the end.
              return (encrypted.isEmpty()
                      ? Future.<Void>succeededFuture()
                      : appendsUnderWay().compose(over -> began(encrypted)))
                  .map(over -> Outcomes.complete(outcomes));
            });
  }

  /** From now on, plain messages of these queues that are younger are not delivered. */
  private Future<Void> began(List<String> queues) {
    return client
        .call(BEGAN, Tuple.tuple().addArrayOfString(queues.toArray(String[]::new)))
        .recover(Failures::translate)
        .mapEmpty();
  }

  /**
   * Waits for the pushes that may have found their queue unencrypted. From then on no plain message
   * gets into it, through no broker.
   */
  private Future<Void> appendsUnderWay() {
    long deadline = nanoTime.getAsLong() + LONGEST_WAIT.toNanos();
    return underWay().compose(found -> over(found, deadline));
  }

  private Future<Void> over(Set<String> appends, long deadline) {
    if (appends.isEmpty()) {
      return Future.succeededFuture();
    }
    if (nanoTime.getAsLong() > deadline) {
      return Future.failedFuture(
          new StoreException(
              StoreException.Kind.LOCKED,
              "The queue is encrypted, but a push that began before has not ended; send it again",
              new TimeoutException("an append takes too long")));
    }
    Promise<Void> glance = Promise.promise();
    context.owner().setTimer(GLANCE_MILLIS, over -> glance.complete());
    return glance
        .future()
        .compose(again -> underWay())
        .compose(
            now -> {
              appends.retainAll(now);
              return over(appends, deadline);
            });
  }

  private Future<Set<String>> underWay() {
    return client
        .call(UNDER_WAY, Tuple.tuple())
        .recover(Failures::translate)
        .map(rows -> new HashSet<>(List.of(rows.iterator().next().getArrayOfStrings(0))));
  }

  private static JsonObject request(QueueConfiguration configuration) {
    JsonObject request =
        new JsonObject()
            .put("queue", configuration.queue())
            .put("merge", configuration.merge())
            .put("options", configuration.options().toJson());
    configuration.namespace().ifPresent(namespace -> request.put("namespace", namespace));
    configuration.task().ifPresent(task -> request.put("task", task));
    return request;
  }

  private static Optional<Problem> problem(QueueConfiguration configuration) {
    return MessageRules.queue(configuration.queue())
        .or(() -> configuration.namespace().flatMap(text -> MessageRules.text("namespace", text)))
        .or(() -> configuration.task().flatMap(text -> MessageRules.text("task", text)))
        .or(() -> negative(configuration.options()));
  }

  private static Optional<Problem> negative(QueueOptions options) {
    for (Map.Entry<String, Object> option : options.toJson()) {
      boolean mayBeNegative = option.getKey().equals("priority");
      int least = option.getKey().equals("dedupWindowSeconds") ? -1 : 0;
      if (!mayBeNegative && option.getValue() instanceof Integer value && value < least) {
        return Optional.of(new Problem(option.getKey() + " must be at least " + least));
      }
    }
    return Optional.empty();
  }

  private static QueueSettings settings(Row row) {
    return new QueueSettings(
        row.getUUID("id"),
        row.getString("name"),
        row.getString("namespace"),
        row.getString("task"),
        new QueueOptions(
            row.getInteger("lease_time"),
            row.getInteger("retry_limit"),
            row.getInteger("retry_delay"),
            row.getInteger("max_size"),
            row.getInteger("ttl"),
            row.getBoolean("dead_letter_queue"),
            row.getBoolean("dlq_after_max_retries"),
            row.getInteger("priority"),
            row.getInteger("delayed_processing"),
            row.getInteger("window_buffer"),
            row.getInteger("retention_seconds"),
            row.getInteger("completed_retention_seconds"),
            row.getBoolean("retention_enabled"),
            row.getBoolean("encryption_enabled"),
            row.getInteger("max_wait_time_seconds"),
            row.getInteger("dedup_window_seconds")),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getUUID("default_partition_id"));
  }
}
