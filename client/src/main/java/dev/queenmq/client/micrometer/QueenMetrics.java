package dev.queenmq.client.micrometer;

import dev.queenmq.client.ClientListener;
import dev.queenmq.client.PushResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what a client does, in a Micrometer registry.
 *
 * <pre>{@code
 * QueenClient.builder().url(url).listener(new QueenMetrics(registry)).build();
 * }</pre>
 *
 * <table>
 *   <caption>Its meters</caption>
 *   <tr><th>meter</th><th>tags</th><th>what</th></tr>
 *   <tr><td>{@code queen.client.requests}, a timer</td>
 *     <td>{@code method}, {@code route}, {@code broker}, {@code status}, {@code outcome}</td>
 *     <td>attempts of HTTP requests; a pop that waits takes as long as it waits. The status is
 *     {@code none} if there was no answer</td></tr>
 *   <tr><td>{@code queen.client.retries}, a counter</td><td>{@code method}, {@code route}</td>
 *     <td>attempts after the first one</td></tr>
 *   <tr><td>{@code queen.client.pushed}, a counter</td><td>{@code queue}, {@code status}</td>
 *     <td>messages that a broker answered for</td></tr>
 *   <tr><td>{@code queen.client.received}, a counter</td><td>{@code queue}, {@code group}</td>
 *     <td>messages that consumers received</td></tr>
 *   <tr><td>{@code queen.client.handler}, a timer</td>
 *     <td>{@code queue}, {@code group}, {@code outcome}</td>
 *     <td>calls of handlers</td></tr>
 *   <tr><td>{@code queen.client.handled}, a counter</td>
 *     <td>{@code queue}, {@code group}, {@code outcome}</td>
 *     <td>messages given to handlers; a batch counts all of its messages</td></tr>
 *   <tr><td>{@code queen.client.consumer.errors}, a counter</td>
 *     <td>{@code queue}, {@code group}, {@code error}</td>
 *     <td>pops, acks and lease extensions of consumers that failed, by exception</td></tr>
 * </table>
 */
public final class QueenMetrics implements ClientListener {
  private static final String SUCCESS = "success";
  private static final String ERROR = "error";

  private final MeterProvider<Timer> requests;
  private final MeterProvider<Counter> retries;
  private final MeterProvider<Counter> pushed;
  private final MeterProvider<Counter> received;
  private final MeterProvider<Timer> handler;
  private final MeterProvider<Counter> handled;
  private final MeterProvider<Counter> consumerErrors;

  /**
   * Meters in a registry.
   *
   * @param registry where they are registered, when there is something to count
   */
  public QueenMetrics(MeterRegistry registry) {
    this(registry, Tags.empty());
  }

  /**
   * Meters in a registry, with tags of yours.
   *
   * @param registry where they are registered, when there is something to count
   * @param tags of all meters, for example the name of the client
   */
  public QueenMetrics(MeterRegistry registry, Iterable<Tag> tags) {
    requests =
        Timer.builder("queen.client.requests")
            .description("Attempts of HTTP requests")
            .tags(tags)
            .withRegistry(registry);
    retries =
        Counter.builder("queen.client.retries")
            .description("Attempts of HTTP requests after the first one")
            .tags(tags)
            .withRegistry(registry);
    pushed =
        Counter.builder("queen.client.pushed")
            .description("Messages pushed, by what became of them")
            .baseUnit("messages")
            .tags(tags)
            .withRegistry(registry);
    received =
        Counter.builder("queen.client.received")
            .description("Messages that consumers received")
            .baseUnit("messages")
            .tags(tags)
            .withRegistry(registry);
    handler =
        Timer.builder("queen.client.handler")
            .description("Calls of handlers")
            .tags(tags)
            .withRegistry(registry);
    handled =
        Counter.builder("queen.client.handled")
            .description("Messages given to handlers")
            .baseUnit("messages")
            .tags(tags)
            .withRegistry(registry);
    consumerErrors =
        Counter.builder("queen.client.consumer.errors")
            .description("Pops, acks and lease extensions of consumers that failed")
            .tags(tags)
            .withRegistry(registry);
  }

  @Override
  public void onAttempt(Attempt attempt) {
    int status = attempt.status();
    requests
        .withTags(
            "method",
            attempt.method(),
            "route",
            attempt.route(),
            "broker",
            attempt.server().getAuthority(),
            "status",
            status == 0 ? "none" : Integer.toString(status),
            "outcome",
            status >= 200 && status < 400 ? SUCCESS : ERROR)
        .record(attempt.took());
    if (attempt.number() > 1) {
      retries.withTags("method", attempt.method(), "route", attempt.route()).increment();
    }
  }

  @Override
  public void onPushed(String queue, PushResult.Status status, int messages) {
    pushed
        .withTags("queue", queue, "status", status.name().toLowerCase(Locale.ROOT))
        .increment(messages);
  }

  @Override
  public void onReceived(String queue, String group, int messages) {
    received.withTags("queue", queue, "group", group).increment(messages);
  }

  @Override
  public void onHandled(
      String queue, String group, int messages, Duration took, @Nullable Throwable error) {
    Tags tags = Tags.of("queue", queue, "group", group, "outcome", error == null ? SUCCESS : ERROR);
    handler.withTags(tags).record(took);
    handled.withTags(tags).increment(messages);
  }

  @Override
  public void onConsumerError(String queue, String group, Throwable error) {
    consumerErrors
        .withTags("queue", queue, "group", group, "error", error.getClass().getSimpleName())
        .increment();
  }
}
