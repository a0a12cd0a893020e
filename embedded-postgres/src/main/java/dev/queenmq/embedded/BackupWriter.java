package dev.queenmq.embedded;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Writes a backup: a compressed tar, in which the files of the cluster are below one folder. */
final class BackupWriter implements AutoCloseable {

  /** The last entry. A file without it is not a whole backup. */
  static final String END = "queen-backup-complete";

  static final String CLUSTER = "cluster/";
  static final String USER_CONFIGURATION = "postgresql.user.conf";

  private static final int BUFFER = 1 << 16;

  private final TarArchiveOutputStream tar;
  private final byte[] buffer = new byte[BUFFER];
  private long bytes;

  BackupWriter(OutputStream file) throws IOException {
    tar =
        new TarArchiveOutputStream(
            new GZIPOutputStream(new BufferedOutputStream(file, BUFFER), BUFFER), "UTF-8");
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
  }

  void folder(String name) throws IOException {
    tar.putArchiveEntry(new TarArchiveEntry(name + "/"));
    tar.closeArchiveEntry();
  }

  void text(String name, String content) throws IOException {
    byte[] encoded = content.getBytes(StandardCharsets.UTF_8);
    begin(name, encoded.length);
    tar.write(encoded);
    tar.closeArchiveEntry();
  }

  /**
   * Adds a file that PostgreSQL may be writing to. It gets the length that it has at the beginning:
   * what is appended later, cut off later, or half written now, the write-ahead log brings into
   * order.
   *
   * @return false if the file is gone
   */
  boolean file(String name, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        InputStream input = Channels.newInputStream(channel)) {
      long left = channel.size();
      begin(name, left);
      while (left > 0) {
        int count = input.read(buffer, 0, (int) Math.min(left, BUFFER));
        if (count < 0) {
          zeros(left);
          left = 0;
        } else {
          tar.write(buffer, 0, count);
          left -= count;
        }
      }
      tar.closeArchiveEntry();
      return true;
    } catch (NoSuchFileException e) {
      if (Files.exists(file)) {
        throw e;
      }
      return false;
    }
  }

  private void begin(String name, long size) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(size);
    tar.putArchiveEntry(entry);
    bytes += size;
  }

  private void zeros(long count) throws IOException {
    byte[] none = new byte[BUFFER];
    for (long left = count; left > 0; left -= BUFFER) {
      tar.write(none, 0, (int) Math.min(left, BUFFER));
    }
  }

  /** Bytes of the files that were added. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
