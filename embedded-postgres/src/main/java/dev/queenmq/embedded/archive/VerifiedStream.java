package dev.queenmq.embedded.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/** Compares the checksum of what was read with the right one, at the end. */
public final class VerifiedStream extends CheckedInputStream {
  private final long sum;

  public VerifiedStream(InputStream in, long sum) {
    super(in, new CRC32());
    this.sum = sum;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    verify(read);
    return read;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int count = super.read(into, from, length);
    verify(count);
    return count;
  }

  private void verify(int read) throws IOException {
    if (read < 0 && getChecksum().getValue() != sum) {
      throw new IOException("the packed PostgreSQL is damaged: its checksum is not the right one");
    }
  }
}
