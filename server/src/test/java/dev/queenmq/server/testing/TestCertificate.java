package dev.queenmq.server.testing;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate that signs itself, for one host name.
 *
 * @param key PKCS #8 in PEM
 * @param certificate X.509 in PEM
 */
public record TestCertificate(String key, String certificate) {

  private static final String PASSWORD = "changeit";

  /** Makes one with the JDK's own tool. */
  public static TestCertificate forHost(String host, Path folder) throws Exception {
    Path file = folder.resolve(host + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return new TestCertificate(
        pem("PRIVATE KEY", store.getKey("test", PASSWORD.toCharArray()).getEncoded()),
        pem("CERTIFICATE", store.getCertificate("test").getEncoded()));
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }
}
