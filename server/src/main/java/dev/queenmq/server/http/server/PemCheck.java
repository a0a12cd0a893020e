package dev.queenmq.server.http.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/** Finds out what is wrong with PEM files before a client does. */
final class PemCheck {
  private static final byte[] SAMPLE =
      "signed with one, checked with the other".getBytes(StandardCharsets.UTF_8);

  private PemCheck() {}

  /** The first certificate of a file. */
  static X509Certificate certificate(String setting, Path file, Buffer content)
      throws TlsFileException {
    try {
      Collection<? extends Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(content.getBytes()));
      if (!chain.isEmpty() && chain.iterator().next() instanceof X509Certificate first) {
        return first;
      }
    } catch (CertificateException e) {
      // The parser's message does not help an operator who has mixed up two files.
    }
    throw new TlsFileException("%s: %s has no certificate in PEM".formatted(setting, file));
  }

  /** That a key can be read, and belongs to a certificate. */
  static void pair(
      Vertx vertx, PemKeyCertOptions pair, X509Certificate certificate, Path file, Path keyFile)
      throws TlsFileException {
    PublicKey publicKey = certificate.getPublicKey();
    Optional<PrivateKey> key;
    try {
      key = key(vertx, pair, publicKey.getAlgorithm());
    } catch (Exception e) {
      // Vert.x declares everything, and the words of parsers might repeat the key.
      throw new TlsFileException(
          "QUEEN_TLS_KEY: %s has no RSA or EC private key in PEM".formatted(keyFile));
    }
    if (key.isEmpty() || !belong(key.get(), publicKey)) {
      throw new TlsFileException(
          "the key in %s does not belong to the certificate in %s".formatted(keyFile, file));
    }
  }

  private static Optional<PrivateKey> key(Vertx vertx, PemKeyCertOptions pair, String algorithm)
      throws Exception {
    for (KeyManager manager : pair.getKeyManagerFactory(vertx).getKeyManagers()) {
      if (manager instanceof X509KeyManager keys) {
        String[] names = keys.getServerAliases(algorithm, null);
        if (names != null && names.length > 0) {
          return Optional.ofNullable(keys.getPrivateKey(names[0]));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean belong(PrivateKey key, PublicKey publicKey) {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(SAMPLE);
      byte[] signature = signer.sign();
      Signature checker = Signature.getInstance(algorithm);
      checker.initVerify(publicKey);
      checker.update(SAMPLE);
      return checker.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
