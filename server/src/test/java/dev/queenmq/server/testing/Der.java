package dev.queenmq.server.testing;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** As much of ASN.1 as a certificate needs. */
final class Der {
  private static final DateTimeFormatter UTC_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int SHORT_FORM = 0x80;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, parts);
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, parts);
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] text(String value) {
    return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant value) {
    return tagged(0x17, UTC_TIME.format(value).getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] yes() {
    return tagged(0x01, new byte[] {-1});
  }

  static byte[] octets(byte[] value) {
    return tagged(0x04, value);
  }

  static byte[] bits(byte[] value) {
    return tagged(0x03, new byte[] {0}, value);
  }

  static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    if (content.size() < SHORT_FORM) {
      all.write(content.size());
    } else {
      byte[] length = BigInteger.valueOf(content.size()).toByteArray();
      int sign = length[0] == 0 ? 1 : 0;
      all.write(SHORT_FORM | (length.length - sign));
      all.write(length, sign, length.length - sign);
    }
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }
}
