package dev.queenmq.spring.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where the brokers are. A bean of this type takes the place of {@code queen.urls}, {@code
 * queen.token} and {@code queen.ssl.bundle}: tests use it to connect to a broker of their own.
 */
public interface QueenConnectionDetails extends ConnectionDetails {

  /**
   * The brokers.
   *
   * @return their URLs, at least one
   */
  List<String> urls();

  /**
   * The bearer token.
   *
   * @return a token, null for none
   */
  default @Nullable String token() {
    return null;
  }

  /**
   * Keys and certificates for https.
   *
   * @return a bundle, null for the platform's default
   */
  default @Nullable SslBundle sslBundle() {
    return null;
  }
}
