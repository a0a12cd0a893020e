package dev.queenmq.bench.torture.hostile;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens for the brokers of one run, good and bad ones. Safe for any thread. */
public final class Tokens {
  private static final int SECRET_BYTES = 32;

  /** Far more than a run lasts, because faults move the clocks of brokers by hours. */
  private static final Duration GOOD_FOR = Duration.ofDays(30);

  private static final String ALGORITHM = "HmacSHA256";
  private static final String KIND = "HS256";
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final byte[] secret;

  private Tokens(byte[] secret) {
    this.secret = secret;
  }

  /** Tokens that are signed with a new secret. */
  public static Tokens create() {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    return new Tokens(HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII));
  }

  /** The settings with which a broker accepts these tokens only. */
  public Map<String, String> settings() {
    return Map.of(
        "JWT_ENABLED",
        "true",
        "JWT_ALGORITHM",
        KIND,
        "JWT_SECRET",
        new String(secret, StandardCharsets.US_ASCII));
  }

  /** A good one. */
  public String of(String subject, String role) {
    return sign(KIND, claims(subject, role, Instant.now().plus(GOOD_FOR)), secret);
  }

  /** One that no broker may take: no two are alike. */
  String bad(RandomGenerator random) {
    String subject = Long.toHexString(random.nextLong());
    Instant later = Instant.now().plus(GOOD_FOR);
    return switch (random.nextInt(6)) {
      case 0 -> subject;
      case 1 -> subject + "." + subject + "." + subject;
      case 2 -> sign(KIND, claims(subject, "admin", Instant.now().minus(GOOD_FOR)), secret);
      case 3 ->
          sign(KIND, claims(subject, "admin", later), subject.getBytes(StandardCharsets.US_ASCII));
      case 4 -> sign("RS256", claims(subject, "admin", later), secret);
      default ->
          part(new JsonObject().put("alg", "none"))
              + "."
              + part(claims(subject, "admin", later))
              + ".";
    };
  }

  private static JsonObject claims(String subject, String role, Instant end) {
    return new JsonObject().put("sub", subject).put("role", role).put("exp", end.getEpochSecond());
  }

  private static String sign(String algorithm, JsonObject claims, byte[] key) {
    String signed =
        part(new JsonObject().put("alg", algorithm).put("typ", "JWT")) + "." + part(claims);
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return signed
          + "."
          + BASE64.encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String part(JsonObject json) {
    return BASE64.encodeToString(json.encode().getBytes(StandardCharsets.UTF_8));
  }
}
