package dev.queenmq.server.config.values;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The name of a broker among its peers: {@code host:port}, in at most 31 bytes. */
public final class ServerId {

  private static final int LONGEST = 31;
  private static final int DIGEST_BYTES = 4;

  private ServerId() {}

  /*
   * Hosts of one deployment often differ at the end only ("...-statefulset-0", "...-statefulset-1"),
   * and those of several data centres at the beginning. So a name that is too long is not just cut:
   * a digest of the whole stands for what is left out.
   */
  public static String of(String host, int port) {
    String plain = host.replaceAll("[^A-Za-z0-9._-]", "_");
    String suffix = ":" + port;
    if (plain.equals(host) && host.length() + suffix.length() <= LONGEST) {
      return host + suffix;
    }
    String end = "~" + digest(host) + suffix;
    return plain.substring(0, Math.min(plain.length(), LONGEST - end.length())) + end;
  }

  private static String digest(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
