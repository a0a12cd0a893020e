package dev.queenmq.embedded.archive;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/**
 * What is in an {@code .xz} file. Unpacked by the program {@code xz} where the machine has it,
 * because Java in a process that has just started takes three times as long; else by a library.
 */
public final class XzStream {
  private static final Logger LOG = LoggerFactory.getLogger(XzStream.class);
  private static final String PROGRAM = "xz";

  private XzStream() {}

  public static InputStream open(InputStream packed) throws IOException {
    return open(packed, PROGRAM);
  }

  static InputStream open(InputStream packed, String program) throws IOException {
    Process process;
    try {
      process =
          // Short options: small systems have a small xz, which knows no others.
          new ProcessBuilder(program, "-dc").redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      LOG.debug("Unpacking in Java", e);
      return new XZInputStream(new BufferedInputStream(packed));
    }
    return new OfProgram(process, CompletableFuture.runAsync(() -> feed(packed, process)));
  }

  private static void feed(InputStream packed, Process process) {
    try (packed;
        OutputStream out = process.getOutputStream()) {
      packed.transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The output of the program. Its end is the end only if the program says that all was well. */
  private static final class OfProgram extends FilterInputStream {
    private final Process process;
    private final CompletableFuture<Void> feeding;

    OfProgram(Process process, CompletableFuture<Void> feeding) {
      super(new BufferedInputStream(process.getInputStream()));
      this.process = process;
      this.feeding = feeding;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      return read < 0 ? atEnd() : read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      return read < 0 ? atEnd() : read;
    }

    private int atEnd() throws IOException {
      try {
        int code = process.waitFor();
        if (code != 0) {
          throw new IOException(PROGRAM + " could not unpack the archive: it ended with " + code);
        }
        feeding.join();
        return -1;
      } catch (CompletionException e) {
        throw new IOException("the archive cannot be read", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      super.close();
    }
  }
}
