package dev.queenmq.server.spool.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The file operations that a spool is made of, so that tests can fail each of them. */
interface Disk {

  /** Makes a folder and what is missing above it, such that it survives a loss of power. */
  void makeFolder(Path folder) throws IOException;

  /**
   * Takes a folder for this process, until the claim is closed.
   *
   * @throws SpoolException if another spool has it
   */
  Closeable claim(Path folder) throws IOException;

  /** The names of what is in a folder. */
  List<String> names(Path folder) throws IOException;

  /** A file that does not exist yet. */
  DiskFile create(Path file) throws IOException;

  /** A file to read and write; made when it is missing. */
  DiskFile open(Path file) throws IOException;

  /** A file to read. */
  DiskFile read(Path file) throws IOException;

  /** Gives a file another name. */
  void rename(Path file, Path other) throws IOException;

  /** Removes a file, if it is there. */
  void delete(Path file) throws IOException;

  /** Makes creations and deletions in a folder survive a loss of power. */
  void syncFolder(Path folder) throws IOException;
}
