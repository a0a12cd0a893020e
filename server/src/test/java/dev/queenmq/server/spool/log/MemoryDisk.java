package dev.queenmq.server.spool.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk that knows what is synced and what is not, so that a test can have the power fail, and
 * that asks a fault before it does anything. Safe for any thread. One folder only.
 */
final class MemoryDisk implements Disk {
  private static final int SECTOR = 512;

  /** What a disk is asked to do. */
  enum Step {
    CREATE,
    READ,
    WRITE,
    SYNC,
    TRUNCATE,
    RENAME,
    DELETE,
    SYNC_FOLDER
  }

  /** Is asked before each step that changes something, and before a file is opened to be read. */
  @FunctionalInterface
  interface Fault {
    Fault NONE = (step, name, bytes) -> bytes;

    /** How many of the bytes are written before it fails; or fails at once; or all. */
    int before(Step step, String name, int bytes) throws IOException;
  }

  private final Map<String, Node> entries = new TreeMap<>();
  private final Map<String, Node> synced = new TreeMap<>();
  private Fault fault = Fault.NONE;
  private boolean claimed;

  synchronized void setFault(Fault next) {
    fault = next;
  }

  /** As another process finds it after kill -9 of this one: what was written is there. */
  synchronized MemoryDisk afterKill() {
    MemoryDisk copy = new MemoryDisk();
    entries.forEach((name, node) -> copy.put(name, node.content));
    return copy;
  }

  /**
   * As it may be found after the power failed: what was synced is there, and of the rest any
   * sectors, and any of the files that were made, renamed or deleted since the folder was synced.
   */
  synchronized MemoryDisk afterPowerLoss(RandomGenerator random) {
    MemoryDisk copy = new MemoryDisk();
    Map<String, Node> found = new TreeMap<>(synced);
    for (Map.Entry<String, Node> entry : entries.entrySet()) {
      if (random.nextBoolean()) {
        found.put(entry.getKey(), entry.getValue());
      }
    }
    found.keySet().removeIf(name -> !entries.containsKey(name) && random.nextBoolean());
    found.forEach((name, node) -> copy.put(name, node.torn(random)));
    return copy;
  }

  private void put(String name, byte[] content) {
    Node node = new Node(content.clone());
    entries.put(name, node);
    synced.put(name, node);
  }

  /** What is in a file. */
  synchronized byte[] content(String name) {
    return node(name).content.clone();
  }

  /** Replaces what is in a file. */
  synchronized void replace(String name, byte[] content) {
    put(name, content);
  }

  /** Changes bytes on the disk itself, under files that are open. */
  synchronized void overwrite(String name, byte[] content) {
    Node node = node(name);
    for (int i = 0; i < content.length; i++) {
      if (content[i] != node.content[i]) {
        node.content[i] = content[i];
        if (i < node.durable.length) {
          node.durable[i] = content[i];
        }
      }
    }
  }

  /** The names of the segments. */
  synchronized List<String> segments() {
    return entries.keySet().stream().filter(name -> Segment.numberOf(name).isPresent()).toList();
  }

  private Node node(String name) {
    Node node = entries.get(name);
    if (node == null) {
      throw new AssertionError("there is no " + name);
    }
    return node;
  }

  @Override
  public void makeFolder(Path folder) {}

  @Override
  public synchronized Closeable claim(Path folder) throws IOException {
    if (claimed) {
      throw new SpoolException(SpoolException.Kind.FOLDER, "in use");
    }
    claimed = true;
    return this::release;
  }

  private synchronized void release() {
    claimed = false;
  }

  @Override
  public synchronized List<String> names(Path folder) {
    return List.copyOf(entries.keySet());
  }

  @Override
  public synchronized DiskFile create(Path path) throws IOException {
    String name = name(path);
    fault.before(Step.CREATE, name, 0);
    if (entries.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    entries.put(name, new Node(new byte[0]));
    return new MemoryFile(name, node(name));
  }

  @Override
  public synchronized DiskFile open(Path path) throws IOException {
    return entries.containsKey(name(path)) ? existing(path) : create(path);
  }

  @Override
  public synchronized DiskFile read(Path path) throws IOException {
    fault.before(Step.READ, name(path), 0);
    return existing(path);
  }

  private DiskFile existing(Path path) throws IOException {
    @Nullable Node node = entries.get(name(path));
    if (node == null) {
      throw new NoSuchFileException(name(path));
    }
    return new MemoryFile(name(path), node);
  }

  @Override
  public synchronized void rename(Path path, Path other) throws IOException {
    fault.before(Step.RENAME, name(path), 0);
    @Nullable Node node = entries.remove(name(path));
    if (node == null) {
      throw new NoSuchFileException(name(path));
    }
    entries.put(name(other), node);
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    fault.before(Step.DELETE, name(path), 0);
    entries.remove(name(path));
  }

  @Override
  public synchronized void syncFolder(Path folder) throws IOException {
    fault.before(Step.SYNC_FOLDER, "", 0);
    synced.clear();
    synced.putAll(entries);
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static final class Node {
    private byte[] content;
    private byte[] durable;
    private final BitSet dirty = new BitSet();

    Node(byte[] content) {
      this.content = content;
      this.durable = content.clone();
    }

    void written(int at, int count) {
      if (count > 0) {
        dirty.set(at / SECTOR, (at + count - 1) / SECTOR + 1);
      }
    }

    void synced() {
      durable = Arrays.copyOf(durable, content.length);
      for (int i = dirty.nextSetBit(0); i >= 0; i = dirty.nextSetBit(i + 1)) {
        int length = Math.min(SECTOR, content.length - i * SECTOR);
        if (length > 0) {
          System.arraycopy(content, i * SECTOR, durable, i * SECTOR, length);
        }
      }
    }

    byte[] torn(RandomGenerator random) {
      if (Arrays.equals(content, durable)) {
        return content;
      }
      int least = Math.min(content.length, durable.length);
      int most = Math.max(content.length, durable.length);
      byte[] result = Arrays.copyOf(durable, random.nextInt(least, most + 1));
      for (int at = 0; at < result.length; at += SECTOR) {
        int length = Math.min(SECTOR, Math.min(result.length, content.length) - at);
        if (length > 0 && random.nextBoolean()) {
          System.arraycopy(content, at, result, at, length);
        }
      }
      return result;
    }
  }

  private final class MemoryFile implements DiskFile {
    private final String name;
    private final Node node;
    private boolean closed;

    MemoryFile(String name, Node node) {
      this.name = name;
      this.node = node;
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      synchronized (MemoryDisk.this) {
        checkOpen();
        int asked = from.remaining();
        int count = fault.before(Step.WRITE, name, asked);
        int at = Math.toIntExact(position);
        node.content = Arrays.copyOf(node.content, Math.max(node.content.length, at + count));
        from.get(node.content, at, count);
        node.written(at, count);
        if (count < asked) {
          throw new IOException("No space left on device");
        }
      }
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      synchronized (MemoryDisk.this) {
        checkOpen();
        int at = (int) Math.min(position, node.content.length);
        int count = Math.min(into.remaining(), node.content.length - at);
        into.put(node.content, at, count);
        return count;
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (MemoryDisk.this) {
        checkOpen();
        try {
          fault.before(Step.SYNC, name, 0);
          node.synced();
        } finally {
          // Also after a failure, as Linux does: what could not be written is called clean, and
          // the next sync succeeds without it.
          node.dirty.clear();
        }
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (MemoryDisk.this) {
        checkOpen();
        fault.before(Step.TRUNCATE, name, 0);
        if (size < node.content.length) {
          node.content = Arrays.copyOf(node.content, Math.toIntExact(size));
        }
      }
    }

    @Override
    public long size() throws IOException {
      synchronized (MemoryDisk.this) {
        checkOpen();
        return node.content.length;
      }
    }

    @Override
    public void close() {
      closed = true;
    }

    private void checkOpen() throws IOException {
      if (closed) {
        throw new IOException("closed");
      }
    }
  }
}
