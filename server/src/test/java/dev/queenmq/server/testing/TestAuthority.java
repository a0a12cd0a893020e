package dev.queenmq.server.testing;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/** Signs certificates for tests: with elliptic curves, as they are quick to make. */
public final class TestAuthority {
  private static final byte[] ECDSA_WITH_SHA256 = hex("06082a8648ce3d040302");
  private static final byte[] COMMON_NAME = hex("0603550403");
  private static final byte[] BASIC_CONSTRAINTS = hex("0603551d13");
  private static final byte[] SUBJECT_ALTERNATIVE_NAME = hex("0603551d11");
  private static final int VERSION_3 = 2;
  private static final Duration VALID = Duration.ofDays(2);

  private final String name;
  private final TestCertificate own;

  /** An authority that no client trusts. */
  public TestAuthority(String name) {
    this.name = name;
    KeyPair keys = keys();
    byte[] isAuthority =
        Der.sequence(BASIC_CONSTRAINTS, Der.yes(), Der.octets(Der.sequence(Der.yes())));
    own = sign(name, name, keys, keys, isAuthority, Instant.now().plus(VALID));
  }

  /** What those need who trust it. */
  public String pem() {
    return own.certificatePem();
  }

  /** Its own certificate. */
  public X509Certificate certificate() {
    return own.certificate();
  }

  /** A certificate for a host or a person. */
  public TestCertificate issue(String subject) {
    return issue(subject, Instant.now().plus(VALID));
  }

  /** The same with another end. */
  public TestCertificate issue(String subject, Instant until) {
    byte[] names =
        Der.sequence(
            SUBJECT_ALTERNATIVE_NAME,
            Der.octets(
                Der.sequence(Der.tagged(0x82, subject.getBytes(StandardCharsets.US_ASCII)))));
    return sign(name, subject, own.keys(), keys(), names, until);
  }

  private static TestCertificate sign(
      String issuer,
      String subject,
      KeyPair signer,
      KeyPair keys,
      byte[] extension,
      Instant until) {
    byte[] algorithm = Der.sequence(ECDSA_WITH_SHA256);
    byte[] toSign =
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.valueOf(VERSION_3))),
            Der.integer(new BigInteger(64, new SecureRandom())),
            algorithm,
            name(issuer),
            Der.sequence(Der.time(until.minus(VALID.multipliedBy(2))), Der.time(until)),
            name(subject),
            keys.getPublic().getEncoded(),
            Der.tagged(0xa3, Der.sequence(extension)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(signer.getPrivate());
      signature.update(toSign);
      byte[] certificate = Der.sequence(toSign, algorithm, Der.bits(signature.sign()));
      return new TestCertificate(
          keys,
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(certificate)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] name(String text) {
    return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(text))));
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
