package dev.queenmq.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.queenmq.client.admin.QueenAdmin;
import dev.queenmq.client.internal.HttpTransport;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Transport;
import dev.queenmq.client.internal.TransportConfig;
import dev.queenmq.client.internal.consumer.Disposition;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of Queen MQ. Make one for an application, share it among threads, and close it at the
 * end.
 *
 * <pre>{@code
 * try (QueenClient client = QueenClient.connect("http://localhost:6632")) {
 *   client.queue("orders").partition("customer-81").push(new Order(17, "tea"));
 *   QueenConsumer consumer =
 *       client.queue("orders").consume(Order.class, message -> brew(message.payload()));
 * }
 * }</pre>
 */
public final class QueenClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueenClient.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  /** Of the deadline of a close, what consumers leave for buffers; half of a short deadline. */
  private static final Duration FOR_BUFFERS = Duration.ofSeconds(5);

  private final RetryPolicy retry;
  private final int pushCount;
  private final int pushBytes;
  private final ScheduledExecutorService timer;
  private final ExecutorService threads;
  private final HttpTransport transport;
  private final Calls calls;
  private final Consumers consumers;
  private final Set<PushBuffer> buffers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private QueenClient(Builder settings) {
    retry = settings.retry;
    pushCount = settings.pushCount;
    pushBytes = settings.pushBytes;
    timer = Threads.timer();
    threads = Threads.handlers();
    transport = new HttpTransport(settings.toConfig(), timer);
    calls =
        new Calls(
            transport,
            new Payloads(settings.mapper),
            List.copyOf(settings.listeners),
            settings.tracing,
            pushCount,
            pushBytes,
            settings.requestTimeout,
            settings.retry.giveUpAfter().plus(settings.requestTimeout),
            timer,
            threads);
    consumers = new Consumers(timer, threads);
  }

  /**
   * A client with defaults.
   *
   * @param url of a broker, for example {@code http://localhost:6632}
   * @return the client
   */
  public static QueenClient connect(String url) {
    return builder().url(url).build();
  }

  /**
   * A client to be configured.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A queue. Nothing is sent yet.
   *
   * @param name of the queue
   * @return a reference to it
   */
  public QueueRef queue(String name) {
    return new QueueRef(
        calls,
        consumers,
        new Calls.Source(
            Objects.requireNonNull(name, "the name of a queue"), null, null, null, null));
  }

  /**
   * All queues of a namespace, to pop and consume from; those with the highest priority first.
   *
   * @param namespace of the queues
   * @return a reference to them
   */
  public QueueRef namespace(String namespace) {
    return new QueueRef(
        calls,
        consumers,
        new Calls.Source(null, null, Objects.requireNonNull(namespace), null, null));
  }

  /**
   * All queues of a task, to pop and consume from.
   *
   * @param namespace of the queues, null for any
   * @param task of the queues
   * @return a reference to them
   */
  public QueueRef task(@Nullable String namespace, String task) {
    return new QueueRef(
        calls,
        consumers,
        new Calls.Source(null, null, namespace, Objects.requireNonNull(task), null));
  }

  /**
   * Acks messages that were popped, in one call for each group.
   *
   * @param messages all are done
   * @return a result for each, in their order: those that failed are delivered again
   */
  public List<AckResult> ack(Collection<? extends Message<?>> messages) {
    return Transport.join(ackAsync(messages));
  }

  /**
   * Acks messages that were popped, in one call for each group.
   *
   * @param messages all are done
   * @return a result for each, in their order
   */
  public CompletableFuture<List<AckResult>> ackAsync(Collection<? extends Message<?>> messages) {
    Map<String, List<Calls.Acknowledgment>> groups = new LinkedHashMap<>();
    Disposition done = Disposition.completed();
    List<Message<?>> marked = new ArrayList<>();
    try {
      for (Message<?> message : messages) {
        message.markSettled(done);
        marked.add(message);
        groups
            .computeIfAbsent(message.group(), group -> new ArrayList<>())
            .add(new Calls.Acknowledgment(message, done));
      }
    } catch (IllegalStateException e) {
      // Nothing is sent, so that the others can still be acked.
      marked.forEach(message -> message.unsettle(done));
      throw e;
    }
    Map<Message<?>, AckResult> results = new ConcurrentHashMap<>();
    CompletableFuture<?>[] sent =
        groups.entrySet().stream()
            .map(
                group ->
                    calls
                        .ack(group.getKey(), group.getValue(), Request.Retry.ALWAYS)
                        .thenAccept(
                            answers -> {
                              for (int i = 0; i < answers.size(); i++) {
                                results.put(group.getValue().get(i).message(), answers.get(i));
                              }
                            }))
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(sent)
        .thenApply(
            all ->
                messages.stream()
                    .map(message -> Objects.requireNonNull(results.get(message)))
                    .toList());
  }

  /**
   * What operators do: look at queues, groups, leases, messages and brokers, and change them.
   *
   * @return their operations, by subject
   */
  public QueenAdmin admin() {
    return new QueenAdmin(transport);
  }

  /**
   * Pushes and acks that all happen, or none of them.
   *
   * @return an empty transaction
   */
  public Transaction transaction() {
    return new Transaction(calls);
  }

  /**
   * A buffer that collects pushes. Close it, or the client, to send what is left.
   *
   * @param options its limits
   * @return an empty buffer
   */
  public PushBuffer buffer(BufferOptions options) {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    PushBuffer buffer =
        new PushBuffer(
            calls, timer, threads, options, pushCount, pushBytes, retry, buffers::remove);
    buffers.add(buffer);
    return buffer;
  }

  /** Closes gracefully, for up to 30 seconds, and logs how many messages could not be sent. */
  @Override
  public void close() {
    logUnsent(close(CLOSE_LIMIT));
  }

  /**
   * Stops consumers, sends what is in buffers, and ends. A second call does nothing. Other requests
   * that are not answered yet fail, so wait for the results of your asynchronous calls first.
   *
   * <p>Handlers that are still at work may push into buffers. So buffers send at once what they
   * hold, but are closed after the consumers. The last 5 seconds of the deadline are for the
   * buffers alone, or its second half if it is shorter than 10 seconds.
   *
   * <p>A handler of a consumer may call it too. Then it returns at once with an empty list, because
   * the handler has to return first, and a thread of its own closes the client. That thread logs
   * how many messages could not be sent.
   *
   * @param deadline for all of it; more than a hundred years count as a hundred years
   * @return what buffers could not send
   */
  public List<UnsentMessage> close(Duration deadline) {
    if (consumers.areCalling()) {
      new Thread(() -> logUnsent(closeNow(deadline)), "queen-close").start();
      return List.of();
    }
    return closeNow(deadline);
  }

  private static void logUnsent(List<UnsentMessage> unsent) {
    if (!unsent.isEmpty()) {
      log.error("{} messages of push buffers could not be sent", unsent.size());
    }
  }

  private List<UnsentMessage> closeNow(Duration atMost) {
    Duration deadline = RetryPolicy.capped(atMost);
    closed = true;
    long end = System.nanoTime() + deadline.toNanos();
    flushBuffers();
    consumers.stop(buffers.isEmpty() ? deadline : deadline.minus(forBuffers(deadline)));
    // All of them before one is waited for: it may take the rest of the deadline.
    flushBuffers();
    List<UnsentMessage> unsent = new ArrayList<>();
    for (PushBuffer buffer : List.copyOf(buffers)) {
      unsent.addAll(buffer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
    }
    calls.close();
    transport.close();
    threads.shutdown();
    timer.shutdownNow();
    return unsent;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Closing the buffers waits for the answers.
  private void flushBuffers() {
    for (PushBuffer buffer : buffers) {
      buffer.flush();
    }
  }

  private static Duration forBuffers(Duration deadline) {
    Duration half = deadline.dividedBy(2);
    return half.compareTo(FOR_BUFFERS) < 0 ? half : FOR_BUFFERS;
  }

  /** How a client is made. Only {@link #url} is needed. */
  public static final class Builder {
    private final List<URI> urls = new ArrayList<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final List<RequestInterceptor> interceptors = new ArrayList<>();
    private final List<ClientListener> listeners = new ArrayList<>();
    private Routing routing = Routing.AFFINITY;
    private RetryPolicy retry = RetryPolicy.standard();
    private Duration rest = Duration.ofSeconds(5);
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration requestTimeout = Duration.ofSeconds(30);
    private @Nullable Supplier<String> token;
    private @Nullable SSLContext ssl;
    private @Nullable Tracing tracing;
    private ObjectMapper mapper =
        JsonMapper.builder(
                JsonFactory.builder()
                    // Brokers take larger texts than Jackson reads by default.
                    .streamReadConstraints(
                        StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                    .build())
            .findAndAddModules()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();
    private int pushCount = 1_000;
    private int pushBytes = 4 << 20;

    private Builder() {}

    /**
     * A broker. Call it again for more of them.
     *
     * @param url for example {@code http://localhost:6632}
     * @return this
     */
    public Builder url(String url) {
      urls.add(checked(url.strip()));
      return this;
    }

    private static URI checked(String url) {
      URI uri;
      try {
        uri = new URI(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException("'" + url + "' is not a URL: " + e.getReason(), e);
      }
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if (uri.getRawUserInfo() != null) {
        // Not with the URL in it: this text may end in a log.
        throw new IllegalArgumentException(
            "brokers know no user and password in a URL; give the client a token instead");
      }
      if (!(scheme.equals("http") || scheme.equals("https")) || uri.getRawAuthority() == null) {
        throw new IllegalArgumentException(
            "'" + url + "' is not an http or https URL like http://localhost:6632");
      }
      if (uri.getHost() == null) {
        throw new IllegalArgumentException(
            "'"
                + uri.getRawAuthority()
                + "' is not a host with a port; host names have no underscores");
      }
      if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
        throw new IllegalArgumentException("'" + url + "' has a query, but paths are added to it");
      }
      return uri;
    }

    /**
     * Several brokers of one cluster.
     *
     * @param all their URLs
     * @return this
     */
    public Builder urls(Collection<String> all) {
      all.forEach(this::url);
      return this;
    }

    /**
     * How to choose among several brokers.
     *
     * @param choice {@link Routing#AFFINITY} unless set
     * @return this
     */
    public Builder routing(Routing choice) {
      routing = choice;
      return this;
    }

    /**
     * How long a broker is avoided after a failure, if there are others.
     *
     * @param time 5 seconds unless set
     * @return this
     */
    public Builder restAfterFailure(Duration time) {
      rest = time;
      return this;
    }

    /**
     * How long requests are repeated.
     *
     * @param policy {@link RetryPolicy#standard()} unless set
     * @return this
     */
    public Builder retry(RetryPolicy policy) {
      retry = policy;
      return this;
    }

    /**
     * How long a connection may take to be made.
     *
     * @param time 5 seconds unless set
     * @return this
     */
    public Builder connectTimeout(Duration time) {
      connectTimeout = time;
      return this;
    }

    /**
     * How long one attempt of a request may take, beside the time that a pop waits.
     *
     * @param time 30 seconds unless set
     * @return this
     */
    public Builder requestTimeout(Duration time) {
      requestTimeout = time;
      return this;
    }

    /**
     * Bearer tokens. The supplier is asked for the first request, and again when the broker does
     * not accept the token any more. It may be called on any thread and should not take long.
     *
     * @param supplier returns a token that is valid now
     * @return this
     */
    public Builder token(Supplier<String> supplier) {
      token = supplier;
      return this;
    }

    /**
     * Keys and certificates for https.
     *
     * @param context the platform's default unless set
     * @return this
     */
    public Builder sslContext(SSLContext context) {
      ssl = context;
      return this;
    }

    /**
     * A header of every request.
     *
     * @param name of the header
     * @param value of the header
     * @return this
     */
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /**
     * Sees every request before it is sent.
     *
     * @param interceptor called in the order of these calls
     * @return this
     */
    public Builder interceptor(RequestInterceptor interceptor) {
      interceptors.add(interceptor);
      return this;
    }

    /**
     * Adds a listener to what the client does, for metrics.
     *
     * @param listener is called from any thread
     * @return this
     */
    public Builder listener(ClientListener listener) {
      listeners.add(listener);
      return this;
    }

    /**
     * Lets trace contexts travel with messages.
     *
     * @param tracer the connection to your tracer
     * @return this
     */
    public Builder tracing(Tracing tracer) {
      tracing = tracer;
      return this;
    }

    /**
     * How payloads are written and read. Unless set, a mapper that writes times as text, ignores
     * unknown fields, and uses the Jackson modules that it finds.
     *
     * @param objectMapper yours
     * @return this
     */
    public Builder objectMapper(ObjectMapper objectMapper) {
      mapper = objectMapper;
      return this;
    }

    /**
     * How large one push request may become: larger pushes are split, and single messages that meet
     * share a request up to this. With one message, every message has a request of its own.
     *
     * @param messages 1,000 unless set; the broker takes 10,000
     * @param bytes 4 MiB unless set; the broker takes 64 MiB
     * @return this
     */
    public Builder pushLimits(int messages, int bytes) {
      if (messages < 1 || bytes < 1) {
        throw new IllegalArgumentException("limits of a push must be positive");
      }
      pushCount = messages;
      pushBytes = bytes;
      return this;
    }

    /**
     * Makes the client. Nothing is sent yet.
     *
     * @return the client
     */
    public QueenClient build() {
      if (urls.isEmpty()) {
        throw new IllegalStateException("a client needs the URL of a broker");
      }
      return new QueenClient(this);
    }

    private TransportConfig toConfig() {
      return new TransportConfig(
          List.copyOf(urls),
          routing,
          rest,
          retry,
          connectTimeout,
          requestTimeout,
          token,
          ssl,
          Map.copyOf(headers),
          List.copyOf(interceptors),
          List.copyOf(listeners));
    }
  }
}
