package dev.queenmq.server.http.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Requests a second of one token or, without a token, of one address: a bucket that holds a
 * second's worth and fills steadily. A bucket that is forgotten counts as full, so forgetting the
 * oldest is safe. Shared by all event loops.
 */
final class RequestRates {
  private static final int MOST_BUCKETS = 100_000;
  private static final Duration MEMORY = Duration.ofSeconds(10);
  private static final double NANOS = 1e9;

  /** A hash, not the token itself, so that a heap dump does not contain it for this reason. */
  private record Caller(long high, long low) {}

  private record Bucket(double left, long at) {}

  private final int rate;
  private final ClientAddresses addresses;
  private final LongSupplier nanoTime;
  private final Cache<Caller, Bucket> buckets =
      Caffeine.newBuilder().maximumSize(MOST_BUCKETS).expireAfterAccess(MEMORY).build();

  RequestRates(int rate, ClientAddresses addresses, LongSupplier nanoTime) {
    this.rate = rate;
    this.addresses = addresses;
    this.nanoTime = nanoTime;
  }

  /** Whether a request may pass; it counts if it may. */
  boolean admit(HttpServerRequest request) {
    if (rate == 0 || isHealthCheck(request)) {
      return true;
    }
    long now = nanoTime.getAsLong();
    boolean[] admitted = new boolean[1];
    buckets
        .asMap()
        .compute(
            caller(request),
            (who, bucket) -> {
              double left =
                  bucket == null ? rate : Math.min(rate, bucket.left + filled(bucket, now));
              admitted[0] = left >= 1;
              return new Bucket(admitted[0] ? left - 1 : left, now);
            });
    return admitted[0];
  }

  private double filled(Bucket bucket, long now) {
    return Math.max(0, now - bucket.at) / NANOS * rate;
  }

  /** Exempt, because orchestrators restart brokers that do not answer it. */
  private static boolean isHealthCheck(HttpServerRequest request) {
    return String.valueOf(request.path()).startsWith("/health");
  }

  private Caller caller(HttpServerRequest request) {
    String token = request.getHeader(HttpHeaders.AUTHORIZATION);
    String text = token == null ? "address " + addresses.of(request) : "token " + token;
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      ByteBuffer buffer = ByteBuffer.wrap(hash);
      return new Caller(buffer.getLong(), buffer.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
