package dev.queenmq.embedded.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Whole folders: remove them, hand them to another user, push them to the disk. */
public final class FileTree {

  private FileTree() {}

  /** Removes a folder and all in it; nothing happens when it is not there. */
  public static void delete(Path root) throws IOException {
    if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.walkFileTree(
          root,
          new BottomUp() {
            @Override
            void visit(Path path) throws IOException {
              Files.deleteIfExists(path);
            }
          });
    }
  }

  /** The user id of the owner of a file or folder. */
  public static int owner(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Gives a folder and all in it to a user, the folder itself last: an interrupted change is seen
   * from its owner and done again.
   */
  public static void chown(Path root, int user) throws IOException {
    Files.walkFileTree(
        root,
        new BottomUp() {
          @Override
          void visit(Path path) throws IOException {
            Files.setAttribute(path, "unix:gid", user, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
          }
        });
  }

  /** Makes a file's content, or a folder's list of names, survive a power cut. */
  public static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private abstract static class BottomUp extends SimpleFileVisitor<Path> {
    abstract void visit(Path path) throws IOException;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      visit(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      visit(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
