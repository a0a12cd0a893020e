package dev.queenmq.spring.autoconfigure;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.admin.system.Health;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a broker for its health. The classes that show it to Spring Boot have moved between version
 * 3 and 4; this is what they share.
 */
public final class BrokerHealth {
  private final QueenClient client;
  private final Duration timeout;

  /**
   * A check.
   *
   * @param client asks
   * @param timeout how long an answer may take
   */
  public BrokerHealth(QueenClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  /**
   * What a broker said.
   *
   * @param isUp whether it can store and deliver
   * @param details to be shown
   */
  public record Result(boolean isUp, Map<String, Object> details) {}

  /**
   * Asks.
   *
   * @return what a broker said
   * @throws Exception if none answered
   */
  public Result check() throws Exception {
    CompletableFuture<Health> answer = client.admin().system().healthAsync();
    Health health;
    try {
      health = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new TimeoutException("no broker answered within " + timeout);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("status", health.status());
    details.put("database", health.database());
    put(details, "databaseError", health.databaseError());
    put(details, "version", health.version());
    return new Result(health.status() != Health.Status.UNHEALTHY, details);
  }

  private static void put(Map<String, Object> details, String name, @Nullable Object value) {
    if (value != null) {
      details.put(name, value);
    }
  }
}
