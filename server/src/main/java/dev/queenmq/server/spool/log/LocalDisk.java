package dev.queenmq.server.spool.log;

import dev.queenmq.embedded.FolderLock;
import dev.queenmq.embedded.files.PrivateFile;
import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The disk of this machine. What it makes is for its own user only: payloads may be secrets. */
final class LocalDisk implements Disk {
  @Override
  public void makeFolder(Path folder) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path level = folder; level != null && !Files.exists(level); level = level.getParent()) {
      missing.push(level);
    }
    Files.createDirectories(folder, PrivateFile.permissions("rwx------"));
    for (Path made : missing) {
      Path parent = made.getParent();
      if (parent != null) {
        syncFolder(parent);
      }
    }
  }

  @Override
  public Closeable claim(Path folder) throws IOException {
    try {
      FolderLock lock =
          FolderLock.acquire(folder.resolve("spool.lock"), folder.resolve("spool.owner"));
      return lock::close;
    } catch (FolderLock.InUseException e) {
      throw new SpoolException(
          Kind.FOLDER,
          """
          The spool folder %s is in use by %s. Stop that process, or set QUEEN_SPOOL_DIR to another \
          folder: every broker needs one of its own.\
          """
              .formatted(folder, e.owner()));
    }
  }

  @Override
  public List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    return open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public DiskFile read(Path file) throws IOException {
    return open(file, StandardOpenOption.READ);
  }

  @Override
  public void rename(Path file, Path other) throws IOException {
    Files.move(file, other, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static DiskFile open(Path file, OpenOption... options) throws IOException {
    return new ChannelFile(
        FileChannel.open(file, Set.of(options), PrivateFile.permissions("rw-------")));
  }

  private record ChannelFile(FileChannel channel) implements DiskFile {
    // The JDK copies heap buffers through a direct one of their size, which it keeps.
    private static final int SLICE = 256 << 10;

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      long at = position;
      int end = from.limit();
      while (from.position() < end) {
        from.limit(Math.min(end, from.position() + SLICE));
        at += channel.write(from, at);
      }
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      int total = 0;
      int end = into.limit();
      while (into.position() < end) {
        into.limit(Math.min(end, into.position() + SLICE));
        int count = channel.read(into, position + total);
        if (count < 0) {
          break;
        }
        total += count;
      }
      return total;
    }

    @Override
    public void sync() throws IOException {
      channel.force(false);
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
