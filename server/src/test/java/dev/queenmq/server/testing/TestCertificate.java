package dev.queenmq.server.testing;

import java.security.KeyPair;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** A certificate, with the key that belongs to it. Each run makes a new one. */
public record TestCertificate(KeyPair keys, X509Certificate certificate) {

  /** The key: PKCS #8 in PEM. */
  public String keyPem() {
    return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
  }

  /** The certificate: X.509 in PEM. */
  public String certificatePem() {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }
}
