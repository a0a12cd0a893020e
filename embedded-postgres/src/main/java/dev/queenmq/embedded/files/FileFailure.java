package dev.queenmq.embedded.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Turns Java's terse file exceptions, which are often just a path, into words. */
public final class FileFailure {

  private FileFailure() {}

  public static String describe(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "permission denied for " + denied.getFile();
    }
    if (e instanceof FileAlreadyExistsException other) {
      return "something that is not a folder is in the way: " + other.getFile();
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + " does not exist";
    }
    if (e instanceof FileSystemException other && other.getReason() != null) {
      return other.getReason() + " (" + other.getFile() + ")";
    }
    return String.valueOf(e.getMessage());
  }
}
