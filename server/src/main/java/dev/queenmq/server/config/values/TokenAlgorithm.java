package dev.queenmq.server.config.values;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.util.Arrays;
import java.util.Optional;

/** How tokens may be signed. Each is checked with one kind of key, and no other. */
public enum TokenAlgorithm {
  /** HMAC with SHA-256. */
  HS256("HS256", Family.SECRET, 32),
  /** HMAC with SHA-384. */
  HS384("HS384", Family.SECRET, 48),
  /** HMAC with SHA-512. */
  HS512("HS512", Family.SECRET, 64),
  /** RSA with SHA-256. */
  RS256("RS256", Family.RSA, 0),
  /** RSA with SHA-384. */
  RS384("RS384", Family.RSA, 0),
  /** RSA with SHA-512. */
  RS512("RS512", Family.RSA, 0),
  /** ECDSA on P-256. */
  ES256("ES256", Family.EC, 0),
  /** Ed25519. */
  EDDSA("EdDSA", Family.ED25519, 0);

  /** The kinds of keys. */
  public enum Family {
    /** A secret that issuers and the broker share. */
    SECRET,
    /** An RSA key of 2048 bits or more. */
    RSA,
    /** A key on the curve P-256. */
    EC,
    /** A key on the curve Ed25519. */
    ED25519
  }

  private static final int LEAST_RSA_BITS = 2048;

  /**
   * Not before a key is looked at: to know the curve takes the JDK much of what it has of
   * cryptography.
   */
  private static final class Curve {
    static final ECParameterSpec P256 = p256();

    private Curve() {}
  }

  private final String label;
  private final Family family;
  private final int leastSecretBytes;

  TokenAlgorithm(String label, Family family, int leastSecretBytes) {
    this.label = label;
    this.family = family;
    this.leastSecretBytes = leastSecretBytes;
  }

  /** By its name in the head of a token; names are case-sensitive there. */
  public static Optional<TokenAlgorithm> of(String label) {
    return Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
  }

  /** The name in the head of a token. */
  public String label() {
    return label;
  }

  /** What keys it takes. */
  public Family family() {
    return family;
  }

  /** A secret with fewer bytes would be weaker than the signature. */
  public int leastSecretBytes() {
    return leastSecretBytes;
  }

  /** The kind of a public key; empty if it is of none that we take, or too weak. */
  public static Optional<Family> familyOf(PublicKey key) {
    if (key instanceof RSAPublicKey rsa) {
      return rsa.getModulus().bitLength() >= LEAST_RSA_BITS
          ? Optional.of(Family.RSA)
          : Optional.empty();
    }
    if (key instanceof ECPublicKey ec) {
      return isP256(ec.getParams()) ? Optional.of(Family.EC) : Optional.empty();
    }
    if (key instanceof EdECPublicKey ed) {
      return ed.getParams().getName().equals("Ed25519")
          ? Optional.of(Family.ED25519)
          : Optional.empty();
    }
    return Optional.empty();
  }

  /** Not by its name, which a key may lack, but by what makes the curve. */
  private static boolean isP256(ECParameterSpec given) {
    ECParameterSpec p256 = Curve.P256;
    return given.getOrder().equals(p256.getOrder())
        && given.getGenerator().equals(p256.getGenerator())
        && given.getCurve().getField().equals(p256.getCurve().getField())
        && given.getCurve().getA().equals(p256.getCurve().getA())
        && given.getCurve().getB().equals(p256.getCurve().getB());
  }

  private static ECParameterSpec p256() {
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
      parameters.init(new ECGenParameterSpec("secp256r1"));
      return parameters.getParameterSpec(ECParameterSpec.class);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK knows P-256", e);
    }
  }
}
