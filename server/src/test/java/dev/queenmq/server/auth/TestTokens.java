package dev.queenmq.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/** Makes tokens and the keys for them, good ones and others. */
public final class TestTokens {
  /** Long enough for every HMAC. */
  public static final String SECRET = "0123456789abcdef".repeat(4);

  /** Made once, for those who want it: an RSA pair takes seconds. */
  static final class Rsa {
    static final KeyPair PAIR = pair("RS256");

    private Rsa() {}
  }

  private TestTokens() {}

  /** For an hour from now, with a role and a subject. */
  public static JwtClaims claims(String subject, String... roles) {
    JwtClaims claims = new JwtClaims();
    claims.setSubject(subject);
    claims.setStringListClaim("roles", List.of(roles));
    claims.setExpirationTime(NumericDate.fromSeconds(Instant.now().getEpochSecond() + 3600));
    return claims;
  }

  /** The same, good for some queues only. */
  public static JwtClaims limited(String subject, String role, String... queues) {
    JwtClaims claims = claims(subject, role);
    claims.setStringListClaim("queues", List.of(queues));
    return claims;
  }

  /** With the secret, as most deployments do it. */
  public static String hs256(JwtClaims claims) {
    return signed("HS256", secretKey(SECRET), null, claims);
  }

  /** In any way there is. */
  public static String signed(
      String algorithm, @Nullable Key key, @Nullable String keyId, JwtClaims claims) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
    signature.setAlgorithmHeaderValue(algorithm);
    signature.setPayload(claims.toJson());
    signature.setDoKeyValidation(false);
    if (keyId != null) {
      signature.setKeyIdHeaderValue(keyId);
    }
    if (key != null) {
      signature.setKey(key);
    }
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of a head and claims as they are given, with a signature that is none. */
  public static String raw(String head, String claims, String signature) {
    return encoded(head) + "." + encoded(claims) + "." + encoded(signature);
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static Key secretKey(String secret) {
    return new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HMAC");
  }

  /** A new pair. */
  public static KeyPair pair(String algorithm) {
    try {
      String kind =
          algorithm.startsWith("RS") ? "RSA" : algorithm.equals("ES256") ? "EC" : "Ed25519";
      KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
      if (kind.equals("RSA")) {
        generator.initialize(2048);
      } else if (kind.equals("EC")) {
        generator.initialize(new ECGenParameterSpec("secp256r1"));
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As {@code openssl} writes it. */
  public static String pem(PublicKey key) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.getEncoded()).replace("\r", "")
        + "\n-----END PUBLIC KEY-----\n";
  }

  /** A set of published keys. */
  public static String jwks(Map<String, PublicKey> keys) {
    StringBuilder text = new StringBuilder("{\"keys\":[");
    keys.forEach(
        (id, key) -> {
          try {
            PublicJsonWebKey jwk = PublicJsonWebKey.Factory.newPublicJwk(key);
            jwk.setKeyId(id);
            text.append(text.charAt(text.length() - 1) == '[' ? "" : ",").append(jwk.toJson());
          } catch (JoseException e) {
            throw new IllegalStateException(e);
          }
        });
    return text.append("]}").toString();
  }
}
