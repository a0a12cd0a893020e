package dev.queenmq.server.http.server;

import dev.queenmq.server.config.ProtectionConfig.Https;
import dev.queenmq.server.config.values.ClientCertificates;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The files that TLS is made of. They are read as a whole and checked before anything uses them.
 * Reads block; safe for use by several threads.
 */
final class TlsFiles {
  private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

  /**
   * With fresh keys for each connection, and ciphers that authenticate what they encrypt. Those of
   * TLS 1.3 first; the client's order does not count.
   */
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /**
   * What the files hold at one moment.
   *
   * @param digest differs whenever one of them does
   */
  record Content(Buffer certificate, Buffer key, Optional<Buffer> authorities, String digest) {}

  /** The options for a server, and the certificate that it then shows. */
  record Material(ServerSSLOptions options, X509Certificate certificate, String digest) {}

  private final Vertx vertx;
  private final Https config;
  private final Duration handshake;

  TlsFiles(Vertx vertx, Https config, Duration handshake) {
    this.vertx = vertx;
    this.config = config;
    this.handshake = handshake;
  }

  /**
   * Reads the files. Through links, as a secret that is mounted may be replaced by another folder
   * with the same times.
   */
  Content read() throws TlsFileException {
    byte[] certificate = bytes("QUEEN_TLS_CERT", config.certificate());
    byte[] key = bytes("QUEEN_TLS_KEY", config.key());
    Optional<byte[]> authorities =
        config.clientAuthorities().isEmpty()
            ? Optional.empty()
            : Optional.of(bytes("QUEEN_TLS_CLIENT_CA", config.clientAuthorities().get()));
    MessageDigest digest = sha256();
    digest.update(sha256().digest(certificate));
    digest.update(sha256().digest(key));
    digest.update(sha256().digest(authorities.orElse(new byte[0])));
    return new Content(
        Buffer.buffer(certificate),
        Buffer.buffer(key),
        authorities.map(Buffer::buffer),
        HexFormat.of().formatHex(digest.digest()));
  }

  /** Checks them and turns them into options. */
  Material check(Content content) throws TlsFileException {
    if (content.key().toString(StandardCharsets.ISO_8859_1).contains("ENCRYPTED")) {
      throw new TlsFileException(
          "QUEEN_TLS_KEY: %s has a passphrase; take it off with: openssl pkey"
              .formatted(config.key()));
    }
    X509Certificate certificate =
        PemCheck.certificate("QUEEN_TLS_CERT", config.certificate(), content.certificate());
    PemKeyCertOptions pair =
        new PemKeyCertOptions().setCertValue(content.certificate()).setKeyValue(content.key());
    PemCheck.pair(vertx, pair, certificate, config.certificate(), config.key());
    ServerSSLOptions options =
        new ServerSSLOptions()
            .setKeyCertOptions(pair)
            .setClientAuth(clientAuth(config.clients()))
            .setEnabledSecureTransportProtocols(PROTOCOLS)
            // HTTP/1.1 only: limits and the watch count requests of a connection one by one.
            .setUseAlpn(false)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setSslHandshakeTimeout(handshake.toMillis());
    SUITES.forEach(options::addEnabledCipherSuite);
    if (content.authorities().isPresent()) {
      Buffer authorities = content.authorities().get();
      PemCheck.certificate(
          "QUEEN_TLS_CLIENT_CA", config.clientAuthorities().orElseThrow(), authorities);
      options.setTrustOptions(new PemTrustOptions().addCertValue(authorities));
    }
    return new Material(options, certificate, content.digest());
  }

  private static ClientAuth clientAuth(ClientCertificates clients) {
    return switch (clients) {
      case NONE -> ClientAuth.NONE;
      case REQUEST -> ClientAuth.REQUEST;
      case REQUIRED -> ClientAuth.REQUIRED;
    };
  }

  private static byte[] bytes(String setting, Path file) throws TlsFileException {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new TlsFileException("%s: there is no file %s".formatted(setting, file));
    } catch (AccessDeniedException e) {
      throw new TlsFileException("%s: %s may not be read by this user".formatted(setting, file));
    } catch (IOException e) {
      throw new TlsFileException(
          "%s: %s cannot be read: %s".formatted(setting, file, e.getMessage()));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
