package dev.queenmq.server.spool.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. For one thread at a time. */
interface DiskFile extends Closeable {

  /** Writes all that is left in the buffer. */
  void write(ByteBuffer from, long position) throws IOException;

  /** Reads until the buffer is full or the file ends; how many bytes, 0 at the end. */
  int read(ByteBuffer into, long position) throws IOException;

  /** Makes all that was written survive a loss of power. */
  void sync() throws IOException;

  /** Cuts it. */
  void truncate(long size) throws IOException;

  /** Its length. */
  long size() throws IOException;
}
