package dev.queenmq.dashboard;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens that the test's broker takes. */
final class Tokens {
  static final String SECRET = "dashboard-tests-have-a-secret-of-their-own";

  private Tokens() {}

  /** A token with this role. */
  static String of(String subject, String role) {
    return signed(claims(subject, role));
  }

  /** The same, good for these queues only. */
  static String of(String subject, String role, List<String> queues) {
    return signed(claims(subject, role).put("queues", new JsonArray(queues)));
  }

  private static JsonObject claims(String subject, String role) {
    return new JsonObject()
        .put("sub", subject)
        .put("role", role)
        .put("exp", Instant.now().plus(Duration.ofHours(2)).getEpochSecond());
  }

  private static String signed(JsonObject claims) {
    String head = encoded(new JsonObject().put("alg", "HS256").put("typ", "JWT").encode());
    String text = head + "." + encoded(claims.encode());
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return text + "." + encoded(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
