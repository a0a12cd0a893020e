package dev.queenmq.bench.integrity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * One push, decided by a seed alone: what it carries and how it is sent.
 *
 * @param transactionId its name
 * @param queue that it goes to
 * @param payloadBytes length of its payload, a JSON string, without the quotes
 * @param seed of the payload
 * @param chunked without an announced length
 * @param manner how it is sent
 */
record Upload(
    String transactionId,
    String queue,
    int payloadBytes,
    long seed,
    boolean chunked,
    Manner manner) {

  private static final int LARGE = 1_000_000;
  private static final int SMALL = 200_000;
  private static final int QUEUES = 4;
  private static final byte[] LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
          .getBytes(StandardCharsets.US_ASCII);

  /** How a client sends its body. */
  enum Manner {
    /** Sends as fast as it can. */
    STEADY,
    /** Sends a part, waits, and sends the rest. */
    STALL,
    /** Sends small pieces with pauses. */
    DRIP,
    /** Leaves in the middle. */
    LEAVE
  }

  /**
   * The push with this number.
   *
   * @param largest bytes of a payload
   */
  static Upload of(long seed, int client, int number, int largest) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + client * 7_919L + number);
    Manner manner = manner(random.nextInt(20));
    return new Upload(
        "c%d-%d".formatted(client, number),
        "integrity-" + random.nextInt(QUEUES),
        size(random, manner, largest),
        random.nextLong(),
        random.nextInt(3) == 0,
        manner);
  }

  private static Manner manner(int dice) {
    if (dice < 3) {
      return Manner.STALL;
    } else if (dice < 5) {
      return Manner.DRIP;
    }
    return dice < 8 ? Manner.LEAVE : Manner.STEADY;
  }

  /** Most are small; one in four is between a megabyte and the largest. */
  private static int size(SplittableRandom random, Manner manner, int largest) {
    boolean large = random.nextInt(4) == 0;
    double exponent = random.nextDouble();
    if (large && manner != Manner.DRIP && largest > LARGE) {
      return random.nextInt(LARGE, largest);
    }
    return Math.max(1, (int) Math.exp(exponent * Math.log(Math.min(largest, SMALL))));
  }

  /** The whole body of the request. */
  byte[] body() {
    byte[] before =
        "{\"items\":[{\"queue\":\"%s\",\"partition\":\"p\",\"transactionId\":\"%s\",\"payload\":\""
            .formatted(queue, transactionId)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] after = "\"}]}".getBytes(StandardCharsets.US_ASCII);
    byte[] body = new byte[before.length + payloadBytes + after.length];
    System.arraycopy(before, 0, body, 0, before.length);
    SplittableRandom random = new SplittableRandom(seed);
    int end = before.length + payloadBytes;
    for (int i = before.length; i < end; ) {
      long bits = random.nextLong();
      for (int n = 0; n < 10 && i < end; n++, i++) {
        body[i] = LETTERS[(int) (bits & 63)];
        bits >>>= 6;
      }
    }
    System.arraycopy(after, 0, body, end, after.length);
    return body;
  }

  /** The hash of the payload's JSON text in a body that {@link #body} made. */
  String hash(byte[] body) {
    int end = body.length - "}]}".length();
    return hash(body, end - payloadBytes - 2, end);
  }

  /** The SHA-256 of some bytes. */
  static String hash(byte[] bytes, int from, int to) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, from, to - from);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
