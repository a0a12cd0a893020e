package dev.queenmq.server.auth;

import dev.queenmq.server.config.values.TokenAlgorithm;
import java.security.Key;
import java.util.Optional;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/** A token, taken apart and not believed yet. For one thread. */
final class Token {
  /** Before anything is parsed: there is no honest token near it. */
  static final int LONGEST = 8 * 1024;

  private static final int LONGEST_KEY_ID = 256;

  private final JsonWebSignature signature;
  private final String algorithm;
  private final Optional<String> keyId;

  private Token(JsonWebSignature signature, String algorithm, Optional<String> keyId) {
    this.signature = signature;
    this.algorithm = algorithm;
    this.keyId = keyId;
  }

  static Token parse(String text) {
    if (text.length() > LONGEST) {
      throw AuthException.invalid("Token decode error: longer than " + LONGEST + " bytes");
    }
    // Else the library would take it for an encrypted one, or for something else again.
    if (text.chars().filter(c -> c == '.').count() != 2) {
      throw AuthException.invalid("Token decode error: not of three parts");
    }
    JsonWebSignature signature = new JsonWebSignature();
    try {
      signature.setCompactSerialization(text);
      @Nullable Object algorithm = signature.getObjectHeader("alg");
      @Nullable Object keyId = signature.getObjectHeader("kid");
      if (!(algorithm instanceof String name)) {
        throw AuthException.invalid("Token decode error: no alg in its head");
      }
      // What we do not know we must not ignore, and we know none.
      if (signature.getObjectHeader("crit") != null || signature.getObjectHeader("b64") != null) {
        throw AuthException.invalid("Token decode error: critical headers are not supported");
      }
      if (keyId != null && (!(keyId instanceof String id) || id.length() > LONGEST_KEY_ID)) {
        throw AuthException.invalid("Token decode error: bad kid in its head");
      }
      return new Token(signature, name, Optional.ofNullable((String) keyId));
    } catch (JoseException | RuntimeException e) {
      throw e instanceof AuthException refusal ? refusal : unreadable("head");
    }
  }

  /** What the head says; it is to be one of ours. */
  String algorithm() {
    return algorithm;
  }

  /** Which key the head says was used. */
  Optional<String> keyId() {
    return keyId;
  }

  /** Whether this key made the signature, in this way and no other. */
  boolean isSignedBy(Key key, TokenAlgorithm only) {
    try {
      signature.setAlgorithmConstraints(
          new AlgorithmConstraints(ConstraintType.PERMIT, only.label()));
      signature.setKey(key);
      return signature.verifySignature();
    } catch (JoseException | RuntimeException e) {
      // A signature of a wrong length, for one.
      return false;
    }
  }

  /** To be asked for only after the signature was found to be good. */
  JwtClaims claims() {
    try {
      return JwtClaims.parse(signature.getUnverifiedPayload());
    } catch (InvalidJwtException | RuntimeException e) {
      throw unreadable("claims");
    }
  }

  private static AuthException unreadable(String part) {
    return AuthException.invalid("Token decode error: unreadable " + part);
  }
}
