package dev.queenmq.client;

import com.fasterxml.jackson.databind.JavaType;
import dev.queenmq.client.internal.consumer.ConsumerLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A consumer before it starts. Every setting has a default; {@code start} it with a handler.
 *
 * <p>Messages of one partition are handled one after the other, in order, whatever the concurrency.
 * If one fails, those behind it wait until it succeeds or becomes a dead letter.
 *
 * @param <T> the payload
 */
public final class ConsumerBuilder<T> {
  private static final int MAX_ACKS_PER_CALL = 1_000;

  private final Calls calls;
  private final Consumers consumers;
  private final Calls.Source source;
  private final JavaType type;

  private int concurrency = 10;
  private int batch = 100;
  private int partitions = 20;
  private Duration longPoll = Duration.ofSeconds(30);
  private Duration renewFor = Duration.ofHours(1);
  private Duration firstPause = Duration.ofMillis(100);
  private Duration maxPause = Duration.ofSeconds(5);
  private @Nullable StartAt startAt;
  private @Nullable Executor executor;

  ConsumerBuilder(Calls calls, Consumers consumers, Calls.Source source, JavaType type) {
    this.calls = calls;
    this.consumers = consumers;
    this.source = source;
    this.type = type;
  }

  /**
   * How many handlers work at the same time, each on a partition of its own.
   *
   * @param handlers 10 unless set
   * @return this
   */
  public ConsumerBuilder<T> concurrency(int handlers) {
    concurrency = positive(handlers);
    return this;
  }

  /**
   * How many messages one pop may bring. They are held here, so that the next handler need not wait
   * for the broker.
   *
   * @param messages 100 unless set
   * @return this
   */
  public ConsumerBuilder<T> batch(int messages) {
    batch = positive(messages);
    return this;
  }

  /**
   * How many partitions one pop may bring. Many help when partitions hold few messages each.
   *
   * @param most 20 unless set
   * @return this
   */
  public ConsumerBuilder<T> partitionsPerPop(int most) {
    partitions = positive(most);
    return this;
  }

  /**
   * How long a pop waits for messages at the broker.
   *
   * @param time 30 seconds unless set; at most two minutes
   * @return this
   */
  public ConsumerBuilder<T> longPoll(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("a long poll must wait");
    }
    longPoll = time;
    return this;
  }

  /**
   * Where the group starts at its first contact with the queue.
   *
   * @param start at the oldest message unless set
   * @return this
   */
  public ConsumerBuilder<T> startAt(StartAt start) {
    startAt = start;
    return this;
  }

  /**
   * How long leases are renewed while handlers work. After that a lease runs out, and the message
   * goes to another consumer: the limit frees partitions of handlers that hang.
   *
   * @param most one hour unless set; zero for never; more than a hundred years count as a hundred
   * @return this
   * @throws IllegalArgumentException if it is negative
   */
  public ConsumerBuilder<T> renewLeasesFor(Duration most) {
    renewFor = notNegative(most);
    return this;
  }

  /**
   * The pauses after errors of the broker; each is twice as long as the one before.
   *
   * @param first 100 milliseconds unless set
   * @param longest 5 seconds unless set; more than a hundred years count as a hundred
   * @return this
   * @throws IllegalArgumentException if one of them is negative
   */
  public ConsumerBuilder<T> backOff(Duration first, Duration longest) {
    firstPause = notNegative(first);
    maxPause = notNegative(longest);
    return this;
  }

  /**
   * Where handlers run. It must run as many at a time as the concurrency.
   *
   * @param threads virtual threads unless set, or a pool where the JVM has none
   * @return this
   */
  public ConsumerBuilder<T> executor(Executor threads) {
    executor = Objects.requireNonNull(threads);
    return this;
  }

  /**
   * Starts with a handler for single messages.
   *
   * @param handler is called for each message
   * @return the consumer, which runs already
   */
  public QueenConsumer start(MessageHandler<T> handler) {
    return run(false, new Handling.Blocking<>(threads(), batch -> handler.handle(batch.get(0))));
  }

  /**
   * Starts with a handler for batches: all messages that a pop brought of one partition.
   *
   * @param handler is called for each batch
   * @return the consumer, which runs already
   */
  public QueenConsumer startBatches(BatchHandler<T> handler) {
    return run(true, new Handling.Blocking<>(threads(), handler));
  }

  /**
   * Starts with a handler that holds no thread.
   *
   * @param handler is called for each message
   * @return the consumer, which runs already
   */
  public QueenConsumer startAsync(AsyncMessageHandler<T> handler) {
    return run(false, new Handling.Async<>(threads(), handler));
  }

  /**
   * The messages as a stream for reactive libraries. Each subscriber gets a consumer of its own,
   * which ends when the subscription is cancelled or the client closed. Settle each message that
   * you get ({@code ack}, {@code fail}, ...): the next one of its partition comes after that, and
   * at most {@code concurrency} messages are out at a time.
   *
   * @return a publisher
   */
  public Flow.Publisher<Message<T>> publisher() {
    return subscriber -> {
      MessageSubscription<T> subscription = new MessageSubscription<>(subscriber);
      subscription.begin(() -> run(false, subscription));
    };
  }

  private QueenConsumer run(boolean wholeBatches, Handling<T> handling) {
    ConsumerLimits limits =
        new ConsumerLimits(
            concurrency,
            source.partition() == null ? partitions : 1,
            wholeBatches,
            MAX_ACKS_PER_CALL,
            firstPause,
            maxPause,
            renewFor);
    PopOptions options = PopOptions.batch(batch).waitUpTo(longPoll);
    return consumers.start(
        new RunningConsumer<>(
            calls,
            consumers.timer(),
            consumers.threads(),
            source,
            type,
            startAt == null ? options : options.startAt(startAt),
            limits,
            handling));
  }

  private Executor threads() {
    return executor == null ? consumers.threads() : executor;
  }

  /** So short that its nanoseconds are a number: "for ever" is not. */
  private static Duration notNegative(Duration given) {
    if (given.isNegative()) {
      throw new IllegalArgumentException(given + " is negative");
    }
    return RetryPolicy.capped(given);
  }

  private static int positive(int number) {
    if (number < 1 || number > 10_000) {
      throw new IllegalArgumentException(number + " is not between 1 and 10000");
    }
    return number;
  }
}
