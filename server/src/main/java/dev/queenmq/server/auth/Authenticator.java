package dev.queenmq.server.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.queenmq.server.config.AuthConfig;
import dev.queenmq.server.config.values.TokenAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Identifies callers by their tokens. Nothing blocks: a token that is cached, or signed with a
 * secret, is checked at once; other signatures are checked on a few threads with a bounded queue.
 * Safe for use by several threads.
 */
public final class Authenticator implements AutoCloseable {
  /*
   * What a client without a valid token can make us do: hash and parse 8 KiB, check one signature
   * (four if the token names no key), and now and then fetch the published keys. Nothing of it is
   * kept: the cache has valid tokens only.
   */
  private static final int MOST_REMEMBERED = 10_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);
  private static final int THREADS = 2;
  private static final int MOST_WAITING = 1_000;
  private static final Duration FETCH_PAUSE = Duration.ofSeconds(10);
  private static final int MOST_JWKS_BYTES = 256 << 10;

  private record Remembered(Credential credential, int generation) {}

  private final AuthConfig config;
  private final KeySource keys;
  private final InstantSource clock;
  private final ClaimRules rules;
  private final Runnable close;
  private final ThreadPoolExecutor workers;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Cache<ByteBuffer, Remembered> remembered =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterAccess(FORGOTTEN_AFTER).build();

  Authenticator(AuthConfig config, KeySource keys, InstantSource clock, Runnable close) {
    this.config = config;
    this.keys = keys;
    this.clock = clock;
    this.close = close;
    rules = new ClaimRules(config);
    workers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "queen-tokens");
              thread.setDaemon(true);
              return thread;
            });
    workers.allowCoreThreadTimeOut(true);
  }

  /** With the keys that the configuration has, or says where to find. */
  public static Authenticator start(AuthConfig config, InstantSource clock, LongSupplier nanoTime) {
    if (config.jwksUrl().isEmpty() || config.publicKey().isPresent()) {
      return new Authenticator(config, new FixedKeys(config, Optional.empty()), clock, () -> {});
    }
    JwksKeys published =
        new JwksKeys(
            config.jwksUrl().get(),
            new JwksKeys.Rules(
                config.jwksRefresh(), FETCH_PAUSE, config.jwksTimeout(), MOST_JWKS_BYTES),
            nanoTime);
    published.start();
    return new Authenticator(
        config, new FixedKeys(config, Optional.of(published)), clock, published::close);
  }

  /**
   * Identifies the caller of a request.
   *
   * @param headers all that are named {@code Authorization}
   * @return the caller, or a failure with a {@link AuthException}; often known at once
   */
  public CompletableFuture<Caller> authenticate(List<String> headers) {
    try {
      String text = Bearer.token(headers);
      if (text.length() > Token.LONGEST) {
        return refused(
            AuthException.invalid("Token decode error: longer than " + Token.LONGEST + " bytes"));
      }
      ByteBuffer hash = hash(text);
      @Nullable Remembered seen = remembered.getIfPresent(hash);
      if (seen != null && seen.generation() == keys.generation()) {
        return CompletableFuture.completedFuture(inTime(seen.credential()));
      }
      Token token = Token.parse(text);
      TokenAlgorithm algorithm = allowed(token.algorithm());
      return check(new Check(token, algorithm, hash));
    } catch (AuthException refusal) {
      return refused(refusal);
    }
  }

  private Caller inTime(Credential credential) {
    credential.checkTime(clock.instant(), config.clockSkew());
    return credential.caller();
  }

  private TokenAlgorithm allowed(String label) {
    TokenAlgorithm given = TokenAlgorithm.of(label).orElseThrow(() -> unsupported(label));
    config
        .algorithm()
        .filter(only -> only != given)
        .ifPresent(
            only -> {
              throw AuthException.invalid(
                  "Token uses %s, expected %s".formatted(given.label(), only.label()));
            });
    return given;
  }

  private CompletableFuture<Caller> check(Check check) {
    KeySource.Found found = check.find();
    if (found instanceof KeySource.Found.Keys candidates) {
      return check.algorithm.family() == TokenAlgorithm.Family.SECRET
          ? CompletableFuture.completedFuture(check.judge(candidates.keys()))
          : onWorker(() -> check.judge(candidates.keys()));
    }
    if (found instanceof KeySource.Found.UnknownAlgorithm) {
      return refused(check.refusal(found));
    }
    return afterFetch(check, found);
  }

  /** Keys rotate, and the token may use one that was published after the last fetch. */
  private CompletableFuture<Caller> afterFetch(Check check, KeySource.Found found) {
    CompletableFuture<Void> look = keys.lookForMore().toCompletableFuture();
    if (look.isDone()) {
      return refusedOr(check);
    }
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return refused(check.refusal(found));
    }
    return look.whenComplete((done, failure) -> waiting.decrementAndGet())
        .thenCompose(done -> refusedOr(check));
  }

  private CompletableFuture<Caller> refusedOr(Check check) {
    KeySource.Found found = check.find();
    return found instanceof KeySource.Found.Keys candidates
        ? onWorker(() -> check.judge(candidates.keys()))
        : refused(check.refusal(found));
  }

  private CompletableFuture<Caller> onWorker(Supplier<Caller> work) {
    try {
      return CompletableFuture.supplyAsync(work, workers);
    } catch (RejectedExecutionException e) {
      return refused(
          new AuthException(
              AuthException.Kind.UNAVAILABLE, "There are too many tokens to check; try again"));
    }
  }

  private static CompletableFuture<Caller> refused(AuthException refusal) {
    return CompletableFuture.failedFuture(refusal);
  }

  private static AuthException unsupported(String algorithm) {
    return AuthException.invalid("Unsupported algorithm: " + DisplayText.shortened(algorithm));
  }

  private static ByteBuffer hash(String token) {
    try {
      return ByteBuffer.wrap(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Ends its threads; tokens that wait are not checked any more. */
  @Override
  public void close() {
    workers.shutdownNow();
    close.run();
  }

  /** A token that is being checked. */
  private final class Check {
    private final Token token;
    private final TokenAlgorithm algorithm;
    private final ByteBuffer hash;
    private int generation;

    Check(Token token, TokenAlgorithm algorithm, ByteBuffer hash) {
      this.token = token;
      this.algorithm = algorithm;
      this.hash = hash;
    }

    KeySource.Found find() {
      // Read before the keys: a token that older keys accept must not be cached under newer ones.
      generation = keys.generation();
      return keys.find(algorithm, token.keyId());
    }

    Caller judge(List<Key> candidates) {
      for (Key key : candidates) {
        if (token.isSignedBy(key, algorithm)) {
          Credential credential = rules.read(token.claims());
          Caller caller = inTime(credential);
          remembered.put(hash, new Remembered(credential, generation));
          return caller;
        }
      }
      throw AuthException.invalid("Invalid token signature");
    }

    AuthException refusal(KeySource.Found found) {
      if (found instanceof KeySource.Found.NotYet) {
        return new AuthException(AuthException.Kind.UNAVAILABLE, "Failed to fetch JWKS");
      }
      return found instanceof KeySource.Found.UnknownKeyId
          ? AuthException.invalid(
              "Unknown key ID: " + DisplayText.shortened(token.keyId().orElse("none")))
          : unsupported(token.algorithm());
    }
  }
}
