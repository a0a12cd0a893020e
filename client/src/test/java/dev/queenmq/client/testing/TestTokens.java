package dev.queenmq.client.testing;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes bearer tokens that a broker accepts. */
public final class TestTokens {
  private static final String SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef";

  private final AtomicInteger made = new AtomicInteger();

  /** The settings of a broker that accepts them, to the second. */
  public Map<String, String> environment() {
    return Map.of("JWT_ENABLED", "true", "JWT_SECRET", SECRET, "JWT_CLOCK_SKEW", "0");
  }

  /** How many were made. */
  public int made() {
    return made.get();
  }

  /** A token for everything. */
  public String valid(Duration time) {
    made.incrementAndGet();
    String content =
        encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + encode(
                "{\"sub\":\"test\",\"role\":\"admin\",\"exp\":"
                    + Instant.now().plus(time).getEpochSecond()
                    + "}");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      return content
          + "."
          + Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encode(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
