package dev.queenmq.embedded.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** With the program, where the machine has it, and without. */
class XzStreamTest {
  private static final int BYTES = 1_000_000;

  XzStreamTest() {}

  @ParameterizedTest
  @ValueSource(strings = {"xz", "no-such-program"})
  void open_unpacks(String program) throws IOException {
    byte[] bytes = bytes();
    try (InputStream unpacked = open(packed(bytes), program)) {
      assertThat(unpacked.readAllBytes()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xz", "no-such-program"})
  void open_fails_whenTheEndIsMissing(String program) throws IOException {
    byte[] packed = packed(bytes());
    byte[] cut = Arrays.copyOf(packed, packed.length - 100);
    assertThatThrownBy(
            () -> {
              try (InputStream unpacked = open(cut, program)) {
                unpacked.readAllBytes();
              }
            })
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"xz", "no-such-program"})
  void open_fails_whenAByteIsWrong(String program) throws IOException {
    byte[] packed = packed(bytes());
    packed[packed.length / 2] ^= 1;
    assertThatThrownBy(
            () -> {
              try (InputStream unpacked = open(packed, program)) {
                unpacked.readAllBytes();
              }
            })
        .isInstanceOf(IOException.class);
  }

  private static InputStream open(byte[] packed, String program) throws IOException {
    return XzStream.open(new ByteArrayInputStream(packed), program);
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (XZOutputStream xz = new XZOutputStream(packed, new LZMA2Options(0))) {
      xz.write(bytes);
    }
    return packed.toByteArray();
  }
}
