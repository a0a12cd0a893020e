package dev.queenmq.server.config.values;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Public keys as {@code openssl} writes them. */
public final class PemPublicKey {
  private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
  private static final String END = "-----END PUBLIC KEY-----";
  private static final List<String> KINDS = List.of("RSA", "EC", "Ed25519");

  private PemPublicKey() {}

  /** Null if the text is none. Line breaks may be written as in one-line deployment files. */
  public static @Nullable PublicKey parse(String text) {
    String pem = text.replace("\\n", "\n").strip();
    if (!pem.startsWith(BEGIN)
        || !pem.endsWith(END)
        || pem.length() < BEGIN.length() + END.length()) {
      return null;
    }
    byte[] encoded;
    try {
      encoded =
          Base64.getMimeDecoder()
              .decode(pem.substring(BEGIN.length(), pem.length() - END.length()));
    } catch (IllegalArgumentException e) {
      return null;
    }
    for (String kind : KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(encoded));
      } catch (GeneralSecurityException e) {
        // Not a key of this kind: the next kind is tried.
      }
    }
    return null;
  }
}
