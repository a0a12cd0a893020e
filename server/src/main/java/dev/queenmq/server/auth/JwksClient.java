package dev.queenmq.server.auth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Fetches a text from the web: not for longer than a limit, and not more than another. */
final class JwksClient {
  private static final int OK = 200;

  private final URI url;
  private final Duration timeout;
  private final int maxBytes;
  private final HttpClient http;

  JwksClient(URI url, Duration timeout, int maxBytes) {
    this.url = url;
    this.timeout = timeout;
    this.maxBytes = maxBytes;
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            // No redirects: keys come from the configured URL only.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout)
            .build();
  }

  /** The limit covers all of it, from the first packet to the last. */
  CompletableFuture<String> fetch() {
    HttpRequest request =
        HttpRequest.newBuilder(url).timeout(timeout).header("Accept", "application/json").build();
    CompletableFuture<HttpResponse<String>> exchange =
        http.sendAsync(request, head -> new LimitedBody(maxBytes));
    return exchange
        .copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((answer, failure) -> exchange.cancel(true))
        .thenApply(
            answer -> {
              if (answer.statusCode() != OK) {
                throw new IllegalStateException("status " + answer.statusCode());
              }
              return answer.body();
            });
  }

  /** Where it fetches from, without what may be secret in it. */
  String where() {
    return url.getScheme() + "://" + url.getAuthority().replaceAll(".*@", "") + url.getPath();
  }

  private static final class LimitedBody implements BodySubscriber<String> {
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int limit;
    private Flow.@Nullable Subscription subscription;

    LimitedBody(int limit) {
      this.limit = limit;
    }

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
      for (ByteBuffer part : parts) {
        if (bytes.size() + part.remaining() > limit) {
          if (subscription != null) {
            subscription.cancel();
          }
          body.completeExceptionally(new IOException("the answer is too long"));
          return;
        }
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(bytes.toString(StandardCharsets.UTF_8));
    }
  }
}
