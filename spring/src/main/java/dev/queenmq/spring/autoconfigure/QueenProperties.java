package dev.queenmq.spring.autoconfigure;

import dev.queenmq.client.Routing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of the client and of listeners.
 *
 * @param urls URLs of the brokers of one cluster.
 * @param token Bearer token. For tokens that change, customize the client with a supplier.
 * @param routing How to choose among several brokers.
 * @param connectTimeout How long a connection may take to be made.
 * @param requestTimeout How long one attempt of a request may take.
 * @param restAfterFailure How long a broker is avoided after a failure, if there are others.
 * @param headers Headers of every request.
 * @param ssl Keys and certificates for https.
 * @param retry How long and how often requests are repeated.
 * @param push How large requests become.
 * @param listener What annotations of listeners leave open.
 * @param health How brokers are asked for their health.
 */
@ConfigurationProperties("queen")
public record QueenProperties(
    @DefaultValue("http://localhost:6632") List<String> urls,
    @Nullable String token,
    @DefaultValue("affinity") Routing routing,
    @DefaultValue("5s") Duration connectTimeout,
    @DefaultValue("30s") Duration requestTimeout,
    @DefaultValue("5s") Duration restAfterFailure,
    @DefaultValue Map<String, String> headers,
    @DefaultValue Ssl ssl,
    @DefaultValue Retry retry,
    @DefaultValue Push push,
    @DefaultValue Listener listener,
    @DefaultValue Health health) {

  /**
   * Keys and certificates for https.
   *
   * @param bundle Name of an SSL bundle. Unset: the platform's default.
   */
  public record Ssl(@Nullable String bundle) {}

  /**
   * Repeated requests.
   *
   * @param giveUpAfter How long after the first attempt the last one may begin; 0 for no retries.
   * @param firstDelay Pause before the first retry.
   * @param maxDelay Longest pause.
   */
  public record Retry(
      @DefaultValue("30s") Duration giveUpAfter,
      @DefaultValue("100ms") Duration firstDelay,
      @DefaultValue("3s") Duration maxDelay) {}

  /**
   * Pushes.
   *
   * @param maxMessages Most messages of one request; more are split.
   * @param maxSize Largest request; more is split.
   */
  public record Push(
      @DefaultValue("1000") int maxMessages, @DefaultValue("4MB") DataSize maxSize) {}

  /**
   * Defaults of listeners.
   *
   * @param group Consumer group.
   * @param concurrency How many partitions a listener handles at the same time.
   * @param batch How many messages one pop may bring.
   * @param partitionsPerPop How many partitions one pop may bring.
   * @param startAt Where a group starts at its first contact: oldest, now, or a moment in ISO 8601.
   * @param longPoll How long a pop waits at the broker.
   * @param renewLeasesFor How long leases are renewed while a handler works.
   * @param backOff Pauses after errors of brokers.
   * @param autoStartup Whether listeners start with the application.
   * @param shutdownTimeout How long handlers may take to finish when the application stops. Keep it
   *     below spring.lifecycle.timeout-per-shutdown-phase.
   */
  public record Listener(
      @Nullable String group,
      @DefaultValue("10") int concurrency,
      @DefaultValue("100") int batch,
      @DefaultValue("20") int partitionsPerPop,
      @Nullable String startAt,
      @DefaultValue("30s") Duration longPoll,
      @DefaultValue("1h") Duration renewLeasesFor,
      @DefaultValue BackOff backOff,
      @DefaultValue("true") boolean autoStartup,
      @DefaultValue("25s") Duration shutdownTimeout) {}

  /**
   * Pauses after errors of brokers; each is twice as long as the one before.
   *
   * @param first The first pause.
   * @param longest The longest pause.
   */
  public record BackOff(
      @DefaultValue("100ms") Duration first, @DefaultValue("5s") Duration longest) {}

  /**
   * Health.
   *
   * @param timeout How long the health check waits for a broker.
   */
  public record Health(@DefaultValue("2s") Duration timeout) {}
}
