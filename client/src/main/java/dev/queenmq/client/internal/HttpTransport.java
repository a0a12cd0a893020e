package dev.queenmq.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.ClientListener;
import dev.queenmq.client.QueenException;
import dev.queenmq.client.RejectedException;
import dev.queenmq.client.RequestInterceptor;
import dev.queenmq.client.UnauthorizedException;
import dev.queenmq.client.UnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport over {@code java.net.http}.
 *
 * <p>The timeout of that client ends with the headers of the answer. A connection that dies in the
 * middle of a body would hang for ever, so that each attempt has a timer of ours over all of it.
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpTransport implements Transport, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpTransport.class);
  private static final String HTML = "text/html";
  private static final String UNRESOLVED = "its host name cannot be resolved";

  private final TransportConfig config;
  private final ScheduledExecutorService timer;
  private final HttpSender sender;
  private final Servers servers;
  private final @Nullable TokenSource tokens;
  private final Set<Call> calls = java.util.concurrent.ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * A transport that is ready for requests.
   *
   * @param timer for timeouts and retries; it stays the caller's
   */
  public HttpTransport(TransportConfig config, ScheduledExecutorService timer) {
    this.config = config;
    this.timer = timer;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            // Brokers speak nothing newer, and would be asked to upgrade at each connection.
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            // What arrives is put together by the thread that has read it. With another thread for
            // that, each part of an answer would switch threads twice. No code of users runs there:
            // answers are passed on by threads of the sender, or by the pool of CompletableFuture.
            .executor(Runnable::run)
            .connectTimeout(config.connectTimeout());
    if (config.ssl() != null) {
      builder.sslContext(config.ssl());
    } else if (config.urls().stream().noneMatch(url -> "https".equalsIgnoreCase(url.getScheme()))) {
      builder.sslContext(NoTls.context()).sslParameters(new SSLParameters());
    }
    this.sender = new HttpSender(builder.build());
    this.servers = new Servers(config.urls(), config.routing(), config.rest(), System::nanoTime);
    this.tokens = config.token() == null ? null : new TokenSource(config.token());
  }

  @Override
  public CompletableFuture<Response> send(Request request) {
    Call call = new Call(request);
    if (closed) {
      call.result.completeExceptionally(
          new UnavailableException("the client is closed", false, null));
      return call.result;
    }
    calls.add(call);
    call.result.whenComplete(
        (done, failed) -> {
          calls.remove(call);
          call.abort();
        });
    call.attempt();
    return call.result;
  }

  @Override
  public int brokerOf(String affinity) {
    return servers.home(affinity);
  }

  /** Ends all requests that are under way. */
  @Override
  public void close() {
    closed = true;
    for (Call call : calls) {
      call.result.completeExceptionally(
          new UnavailableException("the client was closed", true, null));
    }
    sender.close();
  }

  /**
   * One request until its answer. Attempts follow each other, so that no two threads change this at
   * the same time; only {@link #abort} comes from outside.
   */
  private final class Call {
    private final Request request;
    private final CompletableFuture<Response> result = new CompletableFuture<>();
    private final long started;
    private final Set<Integer> tried = new HashSet<>();
    private int attempts;
    private boolean mayHaveHappened;
    private boolean tokenRenewed;
    private @Nullable String token;

    /** Whether this is the first request of several that go to the same broker. */
    private volatile boolean chose;

    private volatile @Nullable CompletableFuture<?> exchange;
    private volatile @Nullable ScheduledFuture<?> timeout;

    Call(Request request) {
      this.request = request;
      Long begun = request.begun();
      this.started = begun == null ? System.nanoTime() : begun;
    }

    /** How long one attempt may take by itself. */
    private Duration timeout() {
      return request.timeout() == null ? config.requestTimeout() : request.timeout();
    }

    /**
     * How long an attempt that begins now may take. One that begins in time may take all of its
     * timeout. A request that has waited for its turn may begin later than any retry would, so that
     * what is left for it may be less, or nothing.
     */
    private long nanosLeft() {
      long since = System.nanoTime() - started;
      long late = Math.max(0, since - config.retry().giveUpAfter().toNanos());
      return timeout().toNanos() - late;
    }

    void attempt() {
      if (result.isDone()) {
        return;
      }
      long left = nanosLeft();
      if (left <= 0) {
        result.completeExceptionally(
            new UnavailableException(
                "it was not sent in time: requests before it took too long",
                mayHaveHappened,
                null));
        return;
      }
      attempts++;
      int server = choose();
      tried.add(server);
      long begun = System.nanoTime();
      CompletableFuture<HttpResponse<byte[]>> sent;
      try {
        // Only requests that wait at the broker have a timeout of their own.
        sent = sender.send(toHttp(server), request.timeout() != null, this::read);
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
        return;
      }
      exchange = sent;
      AtomicBoolean timedOut = new AtomicBoolean();
      limit(sent, left, timedOut);
      sent.whenComplete(
          (answer, failure) -> {
            stopTimeout();
            try {
              tell(server, answer == null ? 0 : answer.statusCode(), begun);
              if (answer != null) {
                answered(server, answer);
              } else {
                failed(
                    server,
                    timedOut.get()
                        ? new TimeoutException("no answer in " + Math.round(left / 1e6) + " ms")
                        : cause(failure));
              }
            } catch (Throwable e) {
              result.completeExceptionally(e);
            }
          });
      if (result.isDone()) {
        abort();
      }
    }

    private int choose() {
      ChosenBroker same = request.broker();
      if (same == null) {
        return servers.choose(request.affinity(), tried);
      }
      if (!same.isKnown()) {
        same.is(servers.choose(request.affinity(), tried));
        chose = true;
      }
      return same.server();
    }

    /** The head of an answer is here. */
    private HttpResponse.BodySubscriber<byte[]> read(HttpResponse.ResponseInfo head) {
      ChosenBroker broker = request.broker();
      if (broker != null && chose) {
        broker.answers();
      }
      return HttpResponse.BodySubscribers.ofByteArray();
    }

    /** Over all of the attempt, the body of the answer included. */
    private void limit(CompletableFuture<?> sent, long nanos, AtomicBoolean timedOut) {
      try {
        timeout =
            after(
                nanos,
                () -> {
                  // Only a cancelled future makes the client close the connection.
                  timedOut.set(true);
                  sent.cancel(true);
                });
      } catch (RejectedExecutionException e) {
        result.completeExceptionally(new UnavailableException("the client is closed", true, e));
      }
    }

    /**
     * The timer has one thread for the whole client, and only hands the task over: callbacks,
     * interceptors and suppliers of tokens run in it, which may wait for another request.
     */
    private ScheduledFuture<?> after(long nanos, Runnable task) {
      return timer.schedule(() -> sender.execute(task), nanos, TimeUnit.NANOSECONDS);
    }

    private void stopTimeout() {
      ScheduledFuture<?> running = timeout;
      if (running != null) {
        running.cancel(false);
      }
    }

    void abort() {
      stopTimeout();
      CompletableFuture<?> running = exchange;
      if (running != null) {
        running.cancel(true);
      }
    }

    private HttpRequest toHttp(int server) {
      byte[] body = request.body();
      URI uri = URI.create(servers.url(server) + request.target());
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(uri)
              .method(
                  request.method(),
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofByteArray(body));
      if (body != null) {
        builder.setHeader("Content-Type", "application/json");
      }
      config.headers().forEach(builder::setHeader);
      request.headers().forEach(builder::setHeader);
      TokenSource source = tokens;
      if (source != null) {
        if (token == null) {
          token = source.token();
        }
        builder.setHeader("Authorization", "Bearer " + token);
      }
      for (RequestInterceptor interceptor : config.interceptors()) {
        interceptor.intercept(new OutgoingRequest(request.method(), uri, builder));
      }
      return builder.build();
    }

    private void answered(int server, HttpResponse<byte[]> answer) {
      int status = answer.statusCode();
      if (isForeign(answer)) {
        servers.failed(server);
        // Like a 502: what stands there may have passed the request on.
        mayHaveHappened = true;
        String why = bare(answer) + ", which is not an answer of a broker";
        again(true, retryAfter(answer), why, null);
        return;
      }
      if (status < 500) {
        servers.succeeded(server);
      }
      if (status >= 200 && status < 300) {
        result.complete(new Response(status, answer.headers(), answer.body()));
      } else if (status == 401 && tokens != null && !tokenRenewed) {
        tokenRenewed = true;
        token = tokens.after(token);
        tried.remove(server);
        attempt();
      } else if (status == 401 || status == 403) {
        result.completeExceptionally(new UnauthorizedException(status, text(answer)));
      } else if (status == 429) {
        again(false, retryAfter(answer), text(answer), null);
      } else if (status >= 500) {
        servers.failed(server);
        mayHaveHappened = true;
        again(true, retryAfter(answer), text(answer), null);
      } else {
        result.completeExceptionally(new RejectedException(status, text(answer)));
      }
    }

    private void failed(int server, Throwable failure) {
      if (result.isDone()) {
        return;
      }
      if (failure instanceof QueenException) {
        result.completeExceptionally(failure);
        return;
      }
      if (!(failure instanceof IOException || failure instanceof TimeoutException)) {
        result.completeExceptionally(failure);
        return;
      }
      servers.failed(server);
      boolean sent = !isUnsent(failure);
      mayHaveHappened |= sent;
      again(sent, Duration.ZERO, servers.url(server) + ": " + describe(failure), failure);
    }

    /** Sends it again if that is allowed, or gives up. */
    private void again(boolean sent, Duration atLeast, String why, @Nullable Throwable cause) {
      Duration pause =
          attempts == 1 && servers.hasOther(tried) && atLeast.isZero()
              ? Duration.ZERO
              : max(
                  atLeast,
                  config.retry().delay(attempts, ThreadLocalRandom.current().nextDouble()));
      long elapsed = System.nanoTime() - started;
      boolean inTime = elapsed + pause.toNanos() <= config.retry().giveUpAfter().toNanos();
      boolean allowed =
          switch (request.retry()) {
            case NEVER -> false;
            case IF_UNSENT -> !sent;
            case ALWAYS -> true;
          };
      if (!allowed || !inTime || closed) {
        result.completeExceptionally(
            new UnavailableException(
                attempts == 1 ? why : why + " (after " + attempts + " attempts)",
                mayHaveHappened,
                cause));
        return;
      }
      log.debug("{} failed, next attempt in {} ms: {}", request, pause.toMillis(), why);
      if (pause.isZero()) {
        attempt();
      } else {
        try {
          after(pause.toNanos(), this::attemptSafely);
        } catch (RejectedExecutionException e) {
          result.completeExceptionally(
              new UnavailableException("the client is closed", mayHaveHappened, e));
        }
      }
    }

    private void attemptSafely() {
      try {
        attempt();
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    }

    private void tell(int server, int status, long begun) {
      if (config.listeners().isEmpty()) {
        return;
      }
      ClientListener.Attempt attempt =
          new ClientListener.Attempt(
              request.method(),
              request.route(),
              servers.url(server),
              status,
              Duration.ofNanos(System.nanoTime() - begun),
              attempts);
      Listeners.tell(config.listeners(), listener -> listener.onAttempt(attempt));
    }
  }

  private record OutgoingRequest(String method, URI uri, HttpRequest.Builder builder)
      implements RequestInterceptor.Outgoing {
    @Override
    public void header(String name, String value) {
      builder.setHeader(name, value);
    }
  }

  private static String describe(Throwable failure) {
    String text = failure.getMessage();
    if (text != null) {
      return text;
    }
    // The JDK leaves out the texts of the most frequent ones.
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return UNRESOLVED;
      }
    }
    return failure instanceof ConnectException
        ? "cannot connect"
        : failure.getClass().getSimpleName();
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static boolean isUnsent(Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof HttpConnectTimeoutException
        || failure instanceof SSLHandshakeException;
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof UnresolvedAddressException) {
      ConnectException refused = new ConnectException(UNRESOLVED);
      refused.initCause(cause);
      return refused;
    }
    return cause;
  }

  private static Duration retryAfter(HttpResponse<?> answer) {
    return answer
        .headers()
        .firstValue("Retry-After")
        .filter(text -> text.matches("\\d{1,4}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
        .orElse(Duration.ZERO);
  }

  /**
   * Whether a load balancer or another program in front of the broker answered in its place: with a
   * page, or with a status that the broker explains with an error text.
   */
  private static boolean isForeign(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    if (status >= 200 && status < 300) {
      return answer
          .headers()
          .firstValue("Content-Type")
          .filter(type -> type.regionMatches(true, 0, HTML, 0, HTML.length()))
          .isPresent();
    }
    boolean known = status == 401 || status == 403 || status == 429 || status >= 500;
    return !known && error(answer) == null;
  }

  /** The broker's own words, or the bare status. */
  private static String text(HttpResponse<byte[]> answer) {
    String error = error(answer);
    return error == null ? bare(answer) : error;
  }

  private static String bare(HttpResponse<byte[]> answer) {
    return "HTTP " + answer.statusCode() + " for " + answer.request().uri().getPath();
  }

  /** The broker's own words, if the answer has them. */
  private static @Nullable String error(HttpResponse<byte[]> answer) {
    try {
      JsonNode error = Json.MAPPER.readTree(answer.body()).path("error");
      if (error.isTextual()) {
        return error.asText();
      }
    } catch (IOException e) {
      log.debug("An answer with status {} is not JSON", answer.statusCode(), e);
    }
    return null;
  }
}
