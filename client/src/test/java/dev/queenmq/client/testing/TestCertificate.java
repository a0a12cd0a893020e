package dev.queenmq.client.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for 127.0.0.1 that only a client with {@link #trusting} accepts. */
public final class TestCertificate {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "broker";

  private final Path folder;
  private final Certificate certificate;

  private TestCertificate(Path folder, Certificate certificate) {
    this.folder = folder;
    this.certificate = certificate;
  }

  /** Makes one with the JDK's own tool: no class of the JDK can. */
  public static TestCertificate make(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=queen-client-test",
                    "-ext",
                    "SAN=ip:127.0.0.1",
                    "-alias",
                    ALIAS,
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    file.toString(),
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(Files.readString(folder.resolve("keytool.log")));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    Certificate certificate = keys.getCertificate(ALIAS);
    write(folder.resolve("certificate.pem"), "CERTIFICATE", certificate.getEncoded());
    write(folder.resolve("key.pem"), "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD).getEncoded());
    return new TestCertificate(folder, certificate);
  }

  private static void write(Path file, String what, byte[] content) throws IOException {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  /** The settings of a broker that shows it. */
  public Map<String, String> environment() {
    return Map.of(
        "QUEEN_TLS_CERT", folder.resolve("certificate.pem").toString(),
        "QUEEN_TLS_KEY", folder.resolve("key.pem").toString());
  }

  /** What a client needs to trust it. */
  public SSLContext trusting() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, certificate);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
