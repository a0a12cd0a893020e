package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.PopMessage;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.UUID;

/** Makes messages: some bytes of JSON, a random uuid, a partition. For one thread. */
public final class MessageMaker {
  private static final int DIGITS = 36;
  private static final int NOISE_LENGTH = 1 << 14;
  private static final String NOISE = noise();
  private static final String START = "{\"" + PopMessage.NUMBER + "\":";

  private final int bytes;
  private final int partitions;
  private final boolean inTurn;
  private final SplittableRandom random;
  private final StringBuilder payload;
  private int last;

  /**
   * A maker.
   *
   * @param bytes of each payload
   * @param inTurn whether it goes through the partitions in turn, from a random one on; else each
   *     is a random one
   */
  public MessageMaker(int bytes, int partitions, boolean inTurn, long seed) {
    this.bytes = bytes;
    this.partitions = partitions;
    this.inTurn = inTurn;
    random = new SplittableRandom(seed);
    payload = new StringBuilder(bytes);
    last = inTurn ? random.nextInt(partitions) : 0;
  }

  private static String noise() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder(NOISE_LENGTH);
    while (text.length() < NOISE_LENGTH) {
      text.append(Character.forDigit(random.nextInt(DIGITS), DIGITS));
    }
    return text.toString();
  }

  /** The partition of the next message or batch. */
  public int partition() {
    last = inTurn ? (last + 1) % partitions : random.nextInt(partitions);
    return last;
  }

  /** A transaction id. */
  public UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  /** A payload that carries this number; good until the next is made. */
  public CharSequence payload(long number) {
    payload.setLength(0);
    payload.append(START).append(number).append(",\"status\":\"created\",\"note\":\"");
    int fill = bytes - 2 - payload.length();
    int from = random.nextInt(NOISE_LENGTH - bytes);
    return payload.append(NOISE, from, from + fill).append("\"}");
  }

  /** The same as bytes. */
  public byte[] payloadBytes(long number) {
    return payload(number).toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The number that a payload of ours carries. */
  public static long number(byte[] payload) {
    int at = START.length();
    boolean negative = payload[at] == '-';
    if (negative) {
      at++;
    }
    long number = 0;
    while (payload[at] >= '0' && payload[at] <= '9') {
      number = number * 10 + (payload[at] - '0');
      at++;
    }
    return negative ? -number : number;
  }
}
